// Says why something was not done, on a page that stays as it is.

import { element } from './element.js';
import { text } from './words.js';

export const NO_RESPONSE = text('scripts.noResponse');

/**
 * @param place the form, or the part of the page, that it is about
 * @param again does it again; null if that cannot help
 * @param content what follows the sentence
 */
export function sayTrouble(place, sentence, again = null, content = []) {
  forgetTrouble();
  const notice = element('div', { className: 'notice danger stack', role: 'alert', tabIndex: -1 });
  notice.dataset.trouble = '';
  notice.append(element('p', {}, sentence, ...content));
  if (again) {
    const button = element(
      'button',
      { type: 'button', className: 'button quiet small', onclick: again },
      text('scripts.tryAgain'),
    );
    notice.append(button);
  }
  place.prepend(notice);
  notice.focus();
}

/** Removes what was said of an earlier attempt. */
export function forgetTrouble() {
  for (const notice of document.querySelectorAll('[data-trouble]')) notice.remove();
}

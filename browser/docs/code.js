const LOCAL = 'http://localhost:8787';

/** Writes the origin of this service into commands of the guides, which name that of a local one. */
export function nameOrigin() {
  const isForOperators = document.querySelector('.apart [aria-current]') !== null;
  if (location.origin === LOCAL || isForOperators) return;
  for (const code of document.querySelectorAll('pre code')) {
    if (code.textContent.includes(LOCAL)) code.textContent = code.textContent.replaceAll(LOCAL, location.origin);
  }
}

const COPIED_MS = 2000;

/** Adds a button to each block of code. */
export function addCopyButtons() {
  const said = document.createElement('p');
  said.className = 'unseen';
  said.setAttribute('aria-live', 'polite');
  document.body.append(said);
  for (const head of document.querySelectorAll('.code-block > figcaption, .code-block > .languages')) {
    const block = head.parentElement;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', () => {
      const shown = [...block.querySelectorAll('pre')].find((pre) => pre.offsetParent !== null);
      void copy(shown?.textContent ?? '', button, said);
    });
    head.append(button);
  }
}

async function copy(text, button, said) {
  await navigator.clipboard.writeText(text);
  button.textContent = 'Copied';
  said.textContent = 'Copied';
  setTimeout(() => {
    button.textContent = 'Copy';
    said.textContent = '';
  }, COPIED_MS);
}

const KEY = 'docs-language';

/** Shows all examples in the language that was chosen last. */
export function keepLanguage() {
  choose(localStorage.getItem(KEY));
  document.addEventListener('change', ({ target }) => {
    if (!target.matches('.languages input')) return;
    const before = target.getBoundingClientRect().top;
    localStorage.setItem(KEY, target.value);
    choose(target.value);
    // Examples above may be longer now: what was chosen stays where it is.
    scrollBy(0, target.getBoundingClientRect().top - before);
  });
}

function choose(language) {
  for (const input of document.querySelectorAll('.languages input')) {
    if (input.value === language) input.checked = true;
  }
}

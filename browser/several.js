// A field with several values, separated by commas: each is shown by itself, and can be removed; what is typed finds those
// that the field offers. The field of the page keeps the text.

import { element } from './element.js';
import { say } from './page.js';
import { text } from './words.js';

// A value in quotation marks may have commas in it.
const isPlain = ({ value }) => !value.includes('"');

function showAll() {
  for (const field of document.querySelectorAll('input[data-several]:not([hidden])')) if (isPlain(field)) show(field);
}

function show(field) {
  const [items, typing] = [
    element('ul'),
    element('input', { type: 'text', spellcheck: false, autocapitalize: 'none' }),
  ];
  for (const name of ['id', 'list', 'aria-describedby', 'aria-invalid', 'required']) {
    const value = field.getAttribute(name);
    if (value === null) continue;
    typing.setAttribute(name, value);
    field.removeAttribute(name);
  }
  let values = [...new Set(split(field.value))];
  const drawn = new Map();
  field.hidden = true;
  const write = () => {
    field.value = [...values, ...split(typing.value)].join(', ');
    typing.required = false;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  };
  // What stays is not drawn again, since a press of its button makes the field take the text first.
  const draw = () => {
    for (const [value, item] of drawn) if (!values.includes(value) && drawn.delete(value)) item.remove();
    for (const value of values.filter((each) => !drawn.has(each))) {
      const item = element('li', {}, value, remover(value));
      drawn.set(value, item);
      items.append(item);
    }
  };
  const change = (next, said) => {
    values = next;
    draw();
    write();
    say(said);
  };
  const remove = (value) => {
    change(
      values.filter((other) => other !== value),
      text('scripts.removed', { value }),
    );
    typing.focus();
  };
  const remover = (value) =>
    element(
      'button',
      { type: 'button', ariaLabel: text('scripts.remove', { value }), onclick: () => remove(value) },
      '×',
    );
  const take = (typed) => {
    const has = new Set(values.map((value) => value.toLowerCase()));
    const added = typed.filter((each) => !has.has(each.toLowerCase()));
    typing.value = '';
    change([...values, ...new Set(added)], added.length > 0 ? text('scripts.added', { values: added.join(', ') }) : '');
  };

  typing.addEventListener('input', (event) => {
    event.stopPropagation();
    const parts = typing.value.split(',');
    // Chosen from the list, and not typed.
    const isChosen = event.inputType === 'insertReplacementText' || event.inputType === undefined;
    if (isChosen && isOffered(typing)) return take([typing.value]);
    if (parts.length === 1) return write();
    const rest = parts.pop().trimStart();
    take(split(parts.join(',')));
    typing.value = rest;
    if (rest !== '') write();
  });
  typing.addEventListener('keydown', (event) => {
    const { key, isComposing } = event;
    if (isComposing) return;
    if (key === 'Enter' && typing.value.trim() !== '') {
      event.preventDefault();
      take(split(typing.value));
    } else if (key === 'Backspace' && typing.value === '' && values.length > 0) remove(values.at(-1));
  });
  typing.addEventListener('blur', () => {
    if (typing.value.trim() !== '') take(split(typing.value));
  });
  draw();
  field.before(element('div', { className: 'several' }, items, typing));
}

const split = (typed) =>
  typed
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

const isOffered = ({ list, value }) => [...(list?.options ?? [])].some((option) => option.value === value);

new MutationObserver(showAll).observe(document.body, { childList: true, subtree: true });
showAll();

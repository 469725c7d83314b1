// What a person has typed into the forms that change something, and has not sent.

const NOT_TYPED = new Set(['hidden', 'submit', 'button', 'reset', 'fieldset', 'output']);

/** Forms that were sent, or whose content a person has decided to leave. */
let left = new WeakSet();

// A form with `data-asks` leads to another one, which changes something.
const formsIn = (root) => [...root.querySelectorAll('form[method="post"], form[data-asks]')];

/** True if a form has something that would be lost. Its page says so of one that is shown again with what was typed. */
export function isUnsaved(form) {
  if (left.has(form) || form.matches('[data-unasked]')) return false;
  return form.matches('[data-unsaved]') || typedIn(form).length > 0;
}

/** True if any form below an element has something that would be lost, except one. */
export const hasUnsaved = (root = document, except = null) =>
  formsIn(root).some((form) => form !== except && isUnsaved(form));

/** Lets the page be left without a question. */
export function leave() {
  for (const form of formsIn(document)) left.add(form);
}

/** Called if the page stays after all. */
export function stay() {
  left = new WeakSet();
}

/** Remembers what has been typed, and returns what types it again into the forms that then have the same actions. */
export function keepTyped() {
  const kept = formsIn(document).flatMap((form) =>
    typedIn(form).map((control) => ({ ...stateOf(control), action: actionOf(form), place: placeOf(control, form) })),
  );
  return () => {
    for (const { action, place, value, checked } of kept) {
      const form = formsIn(document).find((other) => actionOf(other) === action);
      const control = form && [...form.elements].find((other) => placeOf(other, form) === place);
      if (!control || control.type === 'file') continue;
      if (isBox(control)) control.checked = checked;
      else control.value = value;
    }
  };
}

const actionOf = (form) => form.getAttribute('action');
const isBox = ({ type }) => type === 'checkbox' || type === 'radio';
const stateOf = ({ value, checked }) => ({ value, checked });
const typedIn = (form) => [...form.elements].filter(isTyped);

/** A control of a form: its name, and which of those with this name it is. */
function placeOf(control, form) {
  const same = [...form.elements].filter(({ name }) => name === control.name);
  return `${control.name} ${same.indexOf(control)}`;
}

function isTyped(control) {
  if (NOT_TYPED.has(control.type) || control.matches(':autofill')) return false;
  if (isBox(control)) return control.checked !== control.defaultChecked;
  if (control.type === 'file') return control.files.length > 0;
  if (control.type === 'select-one') {
    const options = [...control.options];
    return control.selectedOptions[0] !== (options.findLast((option) => option.defaultSelected) ?? options[0]);
  }
  return control.value !== (control.type === 'textarea' ? control.defaultValue : firstValueOf(control));
}

// Browsers normalise some values, such as those of colours and times.
function firstValueOf({ type, defaultValue }) {
  const control = document.createElement('input');
  control.type = type;
  control.defaultValue = defaultValue;
  return control.value;
}

// A fold of fields that is opened by a mouse has the focus in its first field. By the keyboard, Tab leads there.

const FOLDS = '.option, .filter, .choose';
const FIELDS = 'input:not([type="hidden"]), select, textarea';

document.addEventListener('click', ({ target, detail }) => {
  const fold = target.closest('summary')?.parentElement;
  // A key that presses a summary is a click without a count. Where fingers point, a keyboard would cover the fields.
  if (detail === 0 || !fold?.matches(FOLDS) || fold.open || !matchMedia('(pointer: fine)').matches) return;
  const former = document.activeElement;
  // The browser opens it after the listeners. By then, the person may be in another field.
  setTimeout(() => {
    if (document.activeElement !== former) return;
    [...fold.querySelectorAll(FIELDS)].find((field) => field.checkVisibility())?.focus();
  });
});

// Buttons that change a list of a form, and choices on which other inputs depend: only these parts of the page change,
// as they are in the page that the form would lead to.

let isChanging = false;

async function pageAfter(form, fields, action) {
  fields.set('do', action);
  const page = await fetch(form.action, { method: 'POST', body: fields });
  if (!page.ok) throw new Error(`not the page of the form: ${page.status}`);
  return new DOMParser().parseFromString(await page.text(), 'text/html');
}

function takeOver(page, id, sent = null) {
  const [former, part] = [document, page].map((each) => each.getElementById(id));
  if (!part) throw new Error('another page');
  // What was typed since the request stays.
  for (const control of sent ? former.querySelectorAll('[name]') : []) {
    const same = part.querySelector(`[name="${control.name}"]`);
    if (same && control.value !== sent.get(control.name)) same.value = control.value;
  }
  const focused = former.contains(document.activeElement) ? document.activeElement.id : '';
  const form = former.closest('form');
  form.dataset.unsaved = '';
  former.replaceWith(part);
  // What else depends on the part is checked anew.
  form.dispatchEvent(new Event('input', { bubbles: true }));
  if (focused) document.getElementById(focused)?.focus();
}

const fieldsOf = (form) => new URLSearchParams(new FormData(form));

document.addEventListener('submit', (event) => {
  const button = event.submitter;
  const part = button?.name === 'do' ? button.closest('[data-part]') : null;
  if (!part || event.target.dataset.whole !== undefined) return;
  event.preventDefault();
  if (isChanging) return;
  isChanging = true;
  const form = event.target;
  const change = async () => {
    takeOver(await pageAfter(form, fieldsOf(form), button.value), part.id);
    document.getElementById(new URL(button.formAction).hash.slice(1)).focus();
  };
  const changeWholePage = () => {
    form.dataset.whole = '';
    form.requestSubmit(button);
  };
  void change()
    .catch(changeWholePage)
    .finally(() => (isChanging = false));
});

let updates = 0;

document.addEventListener('change', ({ target }) => {
  const ids = target.dataset.updates?.split(' ');
  if (!ids) return;
  // Without a response, the next button shows them.
  const update = async () => {
    const sent = fieldsOf(target.form);
    const turn = ++updates;
    const page = await pageAfter(target.form, sent, 'update');
    // A later choice has a page of its own.
    if (turn !== updates) return;
    for (const id of ids) takeOver(page, id, sent);
  };
  void update().catch(() => undefined);
});

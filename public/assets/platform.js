// What the pages gain where scripts run: copy buttons, menus that close, confirmations without leaving the page. All else
// works without.

// Screen readers say what is put here.
const said = document.createElement('p');
said.className = 'unseen';
said.ariaLive = 'polite';
document.body.append(said);

for (const button of document.querySelectorAll('[data-copy]')) {
  const source = document.getElementById(button.dataset.copy);
  const text = () => button.dataset.text ?? source.value ?? source.textContent;
  if ((!source && button.dataset.text === undefined) || !navigator.clipboard) continue;
  const label = button.textContent;
  button.hidden = false;
  const say = (text) => () => {
    button.textContent = said.textContent = text;
    setTimeout(() => {
      button.textContent = label;
      said.textContent = '';
    }, 2000);
  };
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(text()).then(say('Copied'), say('Not copied'));
  });
}

const menus = [...document.querySelectorAll('[data-menu]')];

document.addEventListener('click', (event) => {
  for (const menu of menus) if (!menu.contains(event.target)) menu.open = false;
});

document.addEventListener('keydown', (event) => {
  const open = event.key === 'Escape' ? menus.find((menu) => menu.open) : undefined;
  if (!open) return;
  open.open = false;
  open.querySelector('summary').focus();
});

document.addEventListener('click', (event) => {
  const link = event.target.closest('a[data-confirms]');
  if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  // Whatever is in the way is best told by the page itself.
  confirmHere(link.href).catch(() => location.assign(link.href));
});

document.addEventListener('submit', (event) => {
  const form = event.target.closest('form[data-confirms]');
  if (!form) return;
  event.preventDefault();
  const asked = `${form.action}?${new URLSearchParams(new FormData(form, event.submitter))}`;
  confirmHere(asked).catch(() => location.assign(asked));
});

async function confirmHere(href) {
  const page = await fetch(href);
  const { body } = new DOMParser().parseFromString(await page.text(), 'text/html');
  openDialog(page.url, body.querySelector('[data-confirm]'));
}

// The page below may have fields of the same names.
const inDialog = (ids) => ids.replaceAll(/\S+/g, 'dialog-$&');

function renameIds(content) {
  for (const name of ['id', 'for', 'list', 'aria-describedby'])
    for (const part of content.querySelectorAll(`[${name}]`))
      part.setAttribute(name, inDialog(part.getAttribute(name)));
}

function openDialog(action, content) {
  const dialog = document.createElement('dialog');
  renameIds(content);
  const heading = content.querySelector('h1');
  heading.id = 'dialog-title';
  dialog.setAttribute('aria-labelledby', heading.id);
  const form = content.querySelector('form');
  form.action = action;
  form.querySelector('a').addEventListener('click', (event) => {
    event.preventDefault();
    dialog.close();
  });
  dialog.append(content);
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

for (const all of document.querySelectorAll('[data-select-all]')) {
  const boxes = [...all.form.querySelectorAll('input[name="id"]')];
  const count = all.form.querySelector('[data-selected]');
  all.closest('label').hidden = boxes.length < 2;
  all.addEventListener('change', () => {
    for (const box of boxes) box.checked = all.checked;
  });
  all.form.addEventListener('change', () => {
    const selected = boxes.filter((box) => box.checked).length;
    all.checked = selected === boxes.length;
    count.textContent = selected === 0 ? '' : ` (${selected})`;
  });
}

// Says beside a field what the server would say of it, once it has been filled in.
for (const form of document.querySelectorAll('form[data-check]')) {
  const touched = new Set();
  const preview = form.querySelector('[data-target]');
  let waiting;
  let asked = 0;
  const check = async () => {
    const turn = ++asked;
    const answer = await fetch(form.dataset.check, { method: 'POST', body: new URLSearchParams(new FormData(form)) });
    if (turn !== asked || !answer.ok) return;
    const { faults, target } = await answer.json();
    for (const name of touched) if (form.elements[name]) showFault(form.elements[name], faults[name]);
    preview.textContent = target;
    preview.closest('p').hidden = target === '';
  };
  form.addEventListener('input', ({ target }) => {
    if (target.name) touched.add(target.name);
    clearTimeout(waiting);
    // Without an answer the form is judged when it is sent.
    waiting = setTimeout(() => void check().catch(() => undefined), 400);
  });
}

function showFault(control, sentence) {
  const id = `fault-${control.name}`;
  const shown = document.getElementById(id);
  const described = new Set((control.getAttribute('aria-describedby') ?? '').split(' ').filter(Boolean));
  if (sentence === undefined) {
    shown?.remove();
    described.delete(id);
    control.removeAttribute('aria-invalid');
  } else {
    const place = shown ?? document.createElement('p');
    Object.assign(place, { id, className: 'fault' });
    place.setAttribute('role', 'status');
    if (!shown) control.after(place);
    if (place.textContent !== sentence) place.textContent = sentence;
    described.add(id);
    control.setAttribute('aria-invalid', 'true');
  }
  control.setAttribute('aria-describedby', [...described].join(' '));
}

// Buttons that change a list of a form, and choices on which other inputs depend: only these parts of the page change,
// as they are in the page that the form would lead to.
let isChanging = false;

async function pageAfter(form, fields, action) {
  fields.set('do', action);
  const page = await fetch(form.action, { method: 'POST', body: fields });
  return new DOMParser().parseFromString(await page.text(), 'text/html');
}

function takeOver(page, id, sent = null) {
  const [former, part] = [document, page].map((each) => each.getElementById(id));
  // What was typed since the request stays.
  for (const control of sent ? former.querySelectorAll('[name]') : []) {
    const same = part.querySelector(`[name="${control.name}"]`);
    if (same && control.value !== sent.get(control.name)) same.value = control.value;
  }
  const focused = former.contains(document.activeElement) ? document.activeElement.id : '';
  former.replaceWith(part);
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

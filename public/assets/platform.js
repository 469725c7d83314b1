// What the pages gain where scripts run: copy buttons, menus that close, confirmations without leaving the page. All else
// works without.

for (const button of document.querySelectorAll('[data-copy]')) {
  const source = document.getElementById(button.dataset.copy);
  if (!source || !navigator.clipboard) continue;
  const label = button.textContent;
  button.hidden = false;
  const say = (text) => () => {
    button.textContent = text;
    setTimeout(() => (button.textContent = label), 2000);
  };
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(source.value ?? source.textContent).then(say('Copied'), say('Not copied'));
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
  confirmHere(link).catch(() => location.assign(link.href));
});

async function confirmHere(link) {
  const page = await fetch(link.href);
  const { body } = new DOMParser().parseFromString(await page.text(), 'text/html');
  openDialog(link.href, body.querySelector('[data-confirm]'));
}

function openDialog(action, content) {
  const dialog = document.createElement('dialog');
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

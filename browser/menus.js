// Menus close when something else is clicked, and by Escape.

const openMenus = () => [...document.querySelectorAll('[data-menu][open]')];

document.addEventListener('click', ({ target }) => {
  for (const menu of openMenus()) if (!menu.contains(target)) menu.open = false;
});

document.addEventListener('keydown', ({ key }) => {
  const [open] = key === 'Escape' ? openMenus() : [];
  if (!open) return;
  open.open = false;
  open.querySelector('summary').focus();
});

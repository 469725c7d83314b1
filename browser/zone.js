// Sends the time zone of this browser with the forms that sign in, where the account has none yet.

document.addEventListener(
  'submit',
  ({ target }) => {
    const field = target.querySelector('input[data-zone]');
    if (field) field.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
  },
  { capture: true },
);

// A form that leads to an address leaves out its empty fields, so that the address has only what was chosen. Where no
// script does it, the service redirects to the same address.

/** The method of the form whose fields are being read; empty at all other times. */
let method = '';

document.addEventListener(
  'submit',
  ({ target, submitter }) => {
    method = submitter?.getAttribute('formmethod') ?? target.method;
    // The browser has read the fields by then.
    setTimeout(() => (method = ''));
  },
  true,
);

document.addEventListener('formdata', ({ formData }) => {
  if (method !== 'get') return;
  // What only a form that is posted needs.
  formData.delete('typed_by');
  for (const name of new Set(formData.keys())) {
    const values = formData.getAll(name).filter(Boolean);
    formData.delete(name);
    for (const value of values) formData.append(name, value);
  }
});

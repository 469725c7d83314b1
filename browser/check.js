// Says beside a field what the server would say of it, once it has been filled in.

const WAIT_MS = 400;

/** By form: which fields were filled in, and the last question. */
const forms = new WeakMap();

document.addEventListener('input', ({ target }) => {
  // The form itself, if a part of it has changed.
  const form = target.tagName === 'FORM' ? target : target.form;
  if (!form?.dataset.check) return;
  if (!forms.has(form)) forms.set(form, { touched: new Set(), waiting: 0, asked: 0 });
  const state = forms.get(form);
  if (target !== form && target.name) state.touched.add(target.name);
  // Whether a slug is taken depends on its host.
  if (target.name === 'custom_domain') state.touched.add('slug');
  clearTimeout(state.waiting);
  // Without an answer the form is checked when it is sent.
  state.waiting = setTimeout(() => void check(form, state).catch(() => undefined), WAIT_MS);
});

async function check(form, state) {
  // In place of a form that was sent is its response, which says itself what is wrong.
  if (!form.isConnected) return;
  const turn = ++state.asked;
  const response = await fetch(form.dataset.check, { method: 'POST', body: new URLSearchParams(new FormData(form)) });
  if (turn !== state.asked || !response.ok) return;
  const { faults, parts = {} } = await response.json();
  if (!form.isConnected) return;
  for (const name of state.touched) if (form.elements[name]) showFault(form.elements[name], faults[name]);
  for (const [id, markup] of Object.entries(parts)) {
    const part = document.getElementById(id);
    // What is unchanged is not announced again.
    if (part && part.innerHTML !== markup) part.innerHTML = markup;
  }
}

function showFault(control, sentence) {
  const id = `fault-${control.name}`;
  const shown = document.getElementById(id);
  const described = new Set((control.getAttribute('aria-describedby') ?? '').split(' ').filter(Boolean));
  if (sentence === undefined) {
    shown?.remove();
    described.delete(id);
    control.removeAttribute('aria-invalid');
    leaveSummary(control);
  } else {
    const place = shown ?? document.createElement('p');
    Object.assign(place, { id, className: 'fault' });
    place.setAttribute('role', 'status');
    if (!shown) control.after(place);
    // A sentence of the API that has no translation.
    const { english } = sentence;
    if (english === undefined) place.removeAttribute('lang');
    else place.lang = 'en';
    if (place.textContent !== (english ?? sentence)) place.textContent = english ?? sentence;
    described.add(id);
    control.setAttribute('aria-invalid', 'true');
  }
  control.setAttribute('aria-describedby', [...described].join(' '));
}

/** Removes the line of a field from the errors that are listed above its form, and the list with its last line. */
function leaveSummary({ form, id }) {
  const line = [...form.querySelectorAll('.notice a')].find(({ hash }) => hash === `#${id}`)?.parentElement;
  if (!line) return;
  const list = line.parentElement;
  line.remove();
  const heading = list.previousElementSibling;
  if (list.children.length === 0) {
    const notice = list.closest('.notice');
    heading.remove();
    list.remove();
    // It may say more of the whole form.
    if (notice.children.length === 0) notice.remove();
  } else heading.textContent = JSON.parse(heading.dataset.fewer)[list.children.length - 1];
}

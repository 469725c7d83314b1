const MIN_LENGTH = 2;

/** Opens the search field: what it needs is loaded when it is first used. */
export function openSearch() {
  const form = document.querySelector('.find');
  const field = form.querySelector('input');
  const list = form.querySelector('.found');
  let search = null;

  const load = () => (search ??= loadSearch(form.dataset).catch(() => (search = null)));
  const close = () => {
    list.hidden = true;
  };
  const show = async () => {
    const words = field.value.trim();
    if (words.length < MIN_LENGTH) return close();
    const find = await load();
    if (field.value.trim() !== words) return;
    list.replaceChildren(
      ...(find === null ? [note('The search is temporarily unavailable.')] : resultsOf(find(words))),
    );
    list.hidden = false;
  };

  field.addEventListener('focus', () => void load());
  field.addEventListener('input', () => void show());
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    list.querySelector('a')?.click();
  });
  form.addEventListener('keydown', (event) => move(event, form, close));
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (!form.contains(relatedTarget)) close();
  });
  list.addEventListener('click', ({ target }) => {
    if (target.closest('a') !== null) close();
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target.closest?.('input, textarea, select') !== null;
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    field.focus();
  });
}

async function loadSearch({ script, index }) {
  const [{ indexOf }, response] = await Promise.all([import(script), fetch(index)]);
  if (!response.ok) throw new Error(`${index}: ${response.status}`);
  return indexOf(await response.json());
}

function resultsOf(results) {
  if (results.length === 0) return [note('No page has all of these words.')];
  return [note(results.length === 1 ? '1 result' : `${results.length} results`, 'unseen'), listOf(results)];
}

function listOf(results) {
  const list = document.createElement('ul');
  for (const { path, page, title } of results) {
    const link = document.createElement('a');
    link.href = path;
    const name = document.createElement('b');
    name.textContent = title;
    const place = document.createElement('small');
    place.textContent = page;
    link.append(name, ' ', place);
    const item = document.createElement('li');
    item.append(link);
    list.append(item);
  }
  return list;
}

function note(text, className = '') {
  const line = document.createElement('p');
  line.textContent = text;
  line.className = className;
  return line;
}

/** Arrow keys move between the field and the results; Escape closes them. */
function move(event, form, close) {
  const stops = [form.querySelector('input'), ...form.querySelectorAll('.found:not([hidden]) a')];
  const index = stops.indexOf(document.activeElement);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === 'Escape') {
    close();
    stops[0].focus();
  } else if (step !== undefined && stops.length > 1) {
    event.preventDefault();
    stops[(index + step + stops.length) % stops.length].focus();
  }
}

// Clicks as they are counted: rows that come by a stream of events. The page says where that is, and from where on.

import { onEachPage, say } from './page.js';
import { text } from './words.js';

const MAX_ROWS = 100;
const MINUTE_MS = 60_000;
const COUNT_MS = 5000;
const FULL_MS = 10_000;

let view = null;

onEachPage(() => {
  const section = document.querySelector('[data-stream]');
  view?.close();
  view = section && open(section);
});

function open(section) {
  const part = (name) => section.querySelector(`[data-live-${name}]`);
  const [state, count, pause, rows, empty] = ['state', 'count', 'pause', 'rows', 'empty'].map(part);
  const body = rows.querySelector('tbody');
  const counted = [...body.querySelectorAll('time')].toReversed().map((time) => ({
    // By the clock of the service, which can differ from that of the browser.
    at: Date.now() - (Number(section.dataset.now) - Date.parse(time.dateTime)),
    clicks: Number(time.dataset.clicks),
  }));
  const waiting = [];
  let [last, isPaused, isFull, isOver, lastSaid] = [section.dataset.last, false, false, false, 0];
  let [source, retry] = [null, null];

  part('refresh').hidden = true;
  pause.hidden = false;
  pause.textContent = text('scripts.pause');

  const tell = (sentence) => {
    if (state.textContent === sentence) return;
    state.textContent = sentence;
    say(sentence);
  };

  const showState = () => {
    if (isOver) return;
    if (isPaused)
      state.textContent =
        waiting.length === 0 ? text('scripts.pausedDot') : text('scripts.pausedWith', { rows: waiting.length });
    else if (source?.readyState === EventSource.OPEN) tell(text('scripts.connected'));
    else if (isFull) tell(text('scripts.full'));
    else tell(source || !document.hidden ? text('scripts.connecting') : text('scripts.pausedHidden'));
  };

  const showCount = () => {
    const now = Date.now();
    while (counted.length > 0 && counted[0].at <= now - MINUTE_MS) counted.shift();
    const clicks = counted.reduce((sum, each) => sum + each.clicks, 0);
    const sentence = text('scripts.lastMinute', { clicks });
    if (count.textContent === sentence) return;
    count.textContent = sentence;
    if (isPaused || now - lastSaid < MINUTE_MS) return;
    lastSaid = now;
    say(sentence);
  };

  const add = (html) => {
    const template = document.createElement('template');
    template.innerHTML = html;
    template.content.firstElementChild.classList.add('fresh');
    body.prepend(template.content);
    while (body.rows.length > MAX_ROWS) body.lastElementChild.remove();
    rows.hidden = false;
    empty.hidden = true;
  };

  const show = (html) => {
    if (!isPaused) return add(html);
    waiting.push(html);
    if (waiting.length > MAX_ROWS) waiting.shift();
    showState();
  };

  const rowOfMore = (clicks) => {
    const row = document.createElement('tr');
    row.setAttribute('role', 'row');
    const cell = row.insertCell();
    cell.setAttribute('role', 'cell');
    cell.colSpan = body.parentElement.tHead.rows[0].cells.length;
    cell.textContent = text('scripts.moreClicks', { clicks });
    return row.outerHTML;
  };

  const note = ({ lastEventId }, clicks) => {
    last = lastEventId;
    counted.push({ at: Date.now(), clicks });
    showCount();
  };

  const end = (sentence) => {
    isOver = true;
    close();
    pause.hidden = true;
    for (const row of waiting.splice(0)) add(row);
    tell(sentence);
  };

  // An `EventSource` does not say why it was refused.
  const explain = async (url) => {
    const { status, redirected } = await fetch(url, { method: 'HEAD' });
    if (isOver) return;
    // One that was closed just now still counts for some seconds.
    isFull = status === 429;
    showState();
    if (redirected) end(text('scripts.signedOutReload'));
    else if (isFull || status >= 500 || status === 200) tryLater(isFull ? FULL_MS : COUNT_MS);
    else end(text('scripts.notUpdated'));
  };

  const tryLater = (milliseconds) => {
    clearTimeout(retry);
    retry = setTimeout(seen, milliseconds);
  };

  const connect = () => {
    clearTimeout(retry);
    if (isOver || source) return;
    const url = new URL(section.dataset.stream, location);
    url.searchParams.set('last_event_id', last);
    const opened = new EventSource(url);
    source = opened;
    opened.addEventListener('open', () => {
      isFull = false;
      showState();
    });
    opened.addEventListener('click', (event) => {
      const { row, clicks } = JSON.parse(event.data);
      note(event, clicks);
      show(row);
    });
    opened.addEventListener('more', (event) => {
      const { count: clicks } = JSON.parse(event.data);
      note(event, clicks);
      show(rowOfMore(clicks));
    });
    opened.addEventListener('end', ({ data }) => {
      const { reason, detail } = JSON.parse(data);
      if (reason === 'invalid_credential') end(text('scripts.signedOutReload'));
      else if (reason === 'gone') end(detail);
      else if (reason !== 'time' && reason !== 'interrupted' && reason !== 'store_unavailable')
        end(text('scripts.notUpdated'));
      // Otherwise the browser connects again by itself, which a page that is not seen need not.
      else if (document.hidden) {
        disconnect();
        showState();
      }
    });
    opened.addEventListener('error', () => {
      const isRefused = opened.readyState === EventSource.CLOSED;
      if (isRefused && source === opened) disconnect();
      showState();
      if (isRefused) explain(url).catch(() => tryLater(COUNT_MS));
    });
    showState();
  };

  const disconnect = () => {
    source?.close();
    source = null;
  };

  const toggle = () => {
    isPaused = !isPaused;
    pause.textContent = text(isPaused ? 'scripts.resume' : 'scripts.pause');
    for (const row of waiting.splice(0)) add(row);
    if (isPaused) say(text('scripts.paused'));
    showState();
  };

  const seen = () => {
    if (!document.hidden) connect();
  };
  const timer = setInterval(showCount, COUNT_MS);
  const ending = new AbortController();
  pause.addEventListener('click', toggle, ending);
  document.addEventListener('visibilitychange', seen, ending);

  const close = () => {
    disconnect();
    clearTimeout(retry);
    clearInterval(timer);
    ending.abort();
  };

  showCount();
  seen();
  showState();
  return {
    close() {
      isOver = true;
      close();
    },
  };
}

// Passkeys: where people sign in, where they add one, and where they confirm who they are. A button asks the browser for
// one, and its form is then sent with it. At the sign-in the browser also offers them in the field of the user name.

import { element } from './element.js';
import { text } from './words.js';

/** Where the challenge of a page is too old to be signed, a new one is asked for: the service takes it for 5 minutes. */
const FRESH_MS = 4 * 60_000;

const isSupported = 'PublicKeyCredential' in globalThis;

/** The request that waits in the field of the user name. */
let waiting = null;

document.addEventListener('click', (event) => {
  const button = event.target.closest('[data-passkey]');
  if (!button || isToBeRefused(button.form)) return;
  event.preventDefault();
  void use(button, optionsOf(button));
});

// The name of a new passkey is checked before there is one, which would stay where it was created.
function isToBeRefused({ elements: { name } }) {
  return name?.autocomplete === 'off' && (name.value !== name.value.trim() || !name.value || name.value.length > 64);
}

async function use(button, finding) {
  waiting?.ending.abort();
  if (!isSupported) return say(button, text('passkeyScript.unsupported'));
  let options;
  try {
    options = await finding;
  } catch {
    return say(button, text('passkeyScript.noResponse'));
  }
  try {
    send(button, await askFor(options));
  } catch (error) {
    await explain(button, options, error);
  }
}

/** The options of a button: in the page, or from the service. */
async function optionsOf(button, query = '') {
  const { from, ...given } = JSON.parse(button.dataset.passkey);
  if (from === undefined) return given;
  const response = await fetch(from + query);
  if (!response.ok) throw new Error(`no options: ${response.status}`);
  return { get: await response.json() };
}

async function askFor({ create, get }, more = {}) {
  const { credentials } = navigator;
  const made = create
    ? await credentials.create({ publicKey: creationOf(create) })
    : await credentials.get({ publicKey: requestOf(get), ...more });
  return JSON.stringify(jsonOf(made));
}

/** Sends the form of a button. */
function send({ form }, response) {
  const button = form.querySelector('[data-passkey]');
  form.elements.passkey_response.value = response;
  form.requestSubmit(button);
}

async function explain(button, { create }, error) {
  if (error.name === 'InvalidStateError') return say(button, text('passkeyScript.known'));
  if (create) return say(button, text('passkeyScript.notAdded'));
  say(button, text('passkeyScript.notUsed'), await formerOffers(button));
}

/** Buttons for the passkeys of hosts at which the service was before, which can sign in, and confirm nothing. */
async function formerOffers(button) {
  const { from } = JSON.parse(button.dataset.passkey);
  if (!from?.startsWith('/platform/sign-in/')) return [];
  const { get: former = [] } = await optionsOf(button, '?former=1').catch(() => ({}));
  if (former.length === 0) return [];
  const buttons = former.map((get) =>
    element(
      'button',
      { type: 'button', className: 'button quiet small', onclick: () => void use(button, { get }) },
      text('passkeyScript.ofHost', { host: get.rpId }),
    ),
  );
  return [element('p', {}, text('passkeyScript.formerHost')), ...buttons];
}

function say({ form }, sentence, more = []) {
  for (const notice of document.querySelectorAll('[data-trouble]')) notice.remove();
  const notice = element('div', { className: 'notice danger stack', role: 'alert', tabIndex: -1 });
  notice.dataset.trouble = '';
  notice.append(element('p', {}, sentence), ...more);
  form.prepend(notice);
  notice.focus();
}

const NAME = '[autocomplete~="webauthn"]';

/** Offers passkeys in the field of the user name, until one is chosen. */
async function offer() {
  const button = document.querySelector(NAME)?.form.querySelector('[data-passkey]');
  const isOffered = waiting !== null && Date.now() - waiting.begunAt < FRESH_MS;
  if (!button || isOffered) return;
  waiting?.ending.abort();
  const ending = new AbortController();
  const own = { ending, begunAt: Date.now() };
  // Before anything is waited for, since the field gets its focus meanwhile, which would ask once more.
  waiting = own;
  try {
    if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return;
    const options = await optionsOf(button);
    if (ending.signal.aborted) return;
    send(button, await askFor(options, { mediation: 'conditional', signal: ending.signal }));
  } catch {
    // The person has chosen none; the button says what is wrong.
  } finally {
    if (waiting === own) waiting = null;
  }
}

if (isSupported) {
  void offer();
  document.addEventListener('focusin', ({ target }) => {
    if (target.matches?.(NAME)) void offer();
  });
}

// Browsers have these conversions only since 2025: PublicKeyCredential.parseCreationOptionsFromJSON and toJSON.

const bytesOf = (base64url) =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));

const textOf = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const withId = ({ id, type }) => ({ type, id: bytesOf(id) });

const creationOf = ({ challenge, user, excludeCredentials, ...others }) => ({
  ...others,
  challenge: bytesOf(challenge),
  user: { ...user, id: bytesOf(user.id) },
  excludeCredentials: excludeCredentials.map(withId),
});

const requestOf = ({ challenge, allowCredentials = [], ...others }) => ({
  ...others,
  challenge: bytesOf(challenge),
  allowCredentials: allowCredentials.map(withId),
});

function jsonOf({ id, type, response }) {
  const names = ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle'];
  const texts = names.flatMap((name) => (response[name] ? [[name, textOf(response[name])]] : []));
  const transports = response.getTransports?.();
  return { id, rawId: id, type, response: { ...Object.fromEntries(texts), ...(transports && { transports }) } };
}

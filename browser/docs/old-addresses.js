/** Leads from an address of the viewer that was at /docs, such as `/docs#tag/links/POST/v1/links`, to the reference. */
export function followOldAddress({ pathname, hash }, replace) {
  if (pathname !== '/docs') return;
  const address = newAddressOf(hash);
  if (address !== null) replace(address);
}

/** Operations that have moved to another resource since. */
const MOVED = [
  [/^\w+\/v1\/campaigns(?:\/[^/]*)?$/, 'campaigns'],
  [/^\w+\/v1\/links\/(?:export|import)$/, 'import-and-export'],
  [/\/qr\.(?:svg|png)$/, 'qr-codes'],
];

export function newAddressOf(hash) {
  const [kind, resource = '', ...rest] = decode(hash.slice(1)).split('/');
  if (kind === 'tag' && /^[\w-]+$/.test(resource)) {
    const operation = rest.join('/');
    const [, moved] = resource === 'managing-links' ? (MOVED.find(([pattern]) => pattern.test(operation)) ?? []) : [];
    return `/docs/api/${moved ?? resource}${operation === '' ? '' : `#${operation}`}`;
  }
  return ['model', 'models', 'description', 'webhooks'].includes(kind) ? '/docs/api' : null;
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

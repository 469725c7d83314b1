// Starts the client of the API viewer on this service's own document, for the operation that the address names. Nothing
// of it asks another host.

// One of its libraries would else try whether this page may evaluate texts as code. It may not.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

// By then the viewer, which is loaded after this, is there.
document.addEventListener('DOMContentLoaded', () => {
  Scalar.createApiReference('#reference', {
    url: '/openapi.json',
    theme: 'none',
    withDefaultFonts: false,
    telemetry: false,
    proxyUrl: '',
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: 'never',
    documentDownloadType: 'none',
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  });
  if (location.hash.split('/').length > 2) openClient();
});

/** Presses the button of the operation that the address names, once the viewer has drawn it: its client opens. */
function openClient() {
  const names = [location.hash.slice(1), decodeURIComponent(location.hash.slice(1))];
  // The viewer puts the name of the document before the id.
  const places = names.flatMap((name) => [`[id="${CSS.escape(name)}"]`, `[id$="/${CSS.escape(name)}"]`]).join();
  const observer = new MutationObserver(() => {
    const section = document.querySelector(places);
    const button = [...(section?.querySelectorAll('button') ?? [])].find(({ textContent }) =>
      textContent.includes('Test Request'),
    );
    if (button === undefined) return;
    observer.disconnect();
    button.click();
  });
  observer.observe(document.getElementById('reference'), { childList: true, subtree: true });
}

// Starts the API viewer on this service's own document. Nothing of it asks another host.

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
});

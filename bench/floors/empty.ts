export * from './objects.ts';

/** The lowest floor: a Worker that answers and does nothing else. */
const headers = { Location: 'https://example.com/a/page' };

export default {
  fetch: () => new Response(null, { status: 302, headers }),
} satisfies ExportedHandler<Env>;

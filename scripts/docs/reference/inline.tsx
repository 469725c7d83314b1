import { raw } from 'hono/html';
import { Marked } from 'marked';
import { escape } from '../markdown.ts';

const marked = new Marked({
  renderer: {
    codespan: ({ text }) => `<code>${escape(text)}</code>`,
    html: ({ text }) => escape(text),
  },
});

/** A sentence of the API document, whose code is marked by backticks. */
export const inline = (text: string) => raw(marked.parseInline(text));

/** A text of the API document, in paragraphs. */
export const paragraphs = (text: string) => raw(marked.parse(text));

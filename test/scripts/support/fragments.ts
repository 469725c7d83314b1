import { readPage } from './pages.ts';

export const withoutCode = (text: string) => text.replaceAll(/^ *```[^]*?^ *```$/gm, '');

/** The fragments of a page's headings, as GitHub makes them. */
export function fragmentsOf(path: string): string[] {
  return [...withoutCode(readPage(path)).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

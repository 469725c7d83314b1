import { OWN_BRAND, type Brand } from '../config/brand.ts';
import { brandStylePath } from '../http/assets.ts';
import { letterOf } from '../http/brand.tsx';

/**
 * A page of the docs with the name and the colour of an operator. The build, which knows no settings, has written it with
 * those of Terse, and with the logo if there is one.
 */
export function withBrand(page: Response, { name, colour }: Brand): Response {
  const rewriter = new HTMLRewriter();
  if (name !== OWN_BRAND.name) rename(rewriter, name);
  if (colour !== null) {
    const style = `<link rel="stylesheet" href="${brandStylePath(colour)}"/>`;
    rewriter.on('head', { element: (head) => void head.append(style, { html: true }) });
  }
  const branded = rewriter.transform(new Response(page.body, page));
  // They are those of the file.
  for (const header of ['ETag', 'Content-Length']) branded.headers.delete(header);
  return branded;
}

function rename(rewriter: HTMLRewriter, name: string): void {
  const inName = (text: string) => text.replace(/Terse$/, () => name);
  const meta = {
    element: (element: Element) => void element.setAttribute('content', inName(element.getAttribute('content') ?? '')),
  };
  let title = '';
  rewriter
    .on('title', {
      text: (part) => {
        title += part.text;
        if (part.lastInTextNode) part.replace(inName(title));
        else part.remove();
      },
    })
    .on('meta[property="og:site_name"]', meta)
    .on('meta[property="og:title"]', meta)
    .on('.brand > bdi', { element: (brand) => void brand.setInnerContent(name) })
    .on('.brand > span.mark', { element: (mark) => void mark.setInnerContent(letterOf(name)) });
}

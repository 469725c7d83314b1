// The style sheets that not all pages have: they come with a page that takes the place of another one, and go with it.

const ownOf = ({ head }) => [...head.querySelectorAll('link[data-own]')];
const addressesOf = (page) => new Set(ownOf(page).map(({ href }) => href));

/** The addresses of those of the page, without those of a dialog over it. */
let ofPage = addressesOf(document);

/** Loads those of another page, which is shown next, in its order. */
export async function takeStyles(next) {
  const has = addressesOf(document);
  const wanted = ownOf(next);
  const missing = wanted.filter(({ href }) => !has.has(href));
  const loads = missing.map((sheet) => {
    const later = new Set(wanted.slice(wanted.indexOf(sheet)).map(({ href }) => href));
    const place = ownOf(document).find(({ href }) => later.has(href)) ?? document.head.querySelector('script');
    const own = document.importNode(sheet);
    const loaded = new Promise((done) => {
      for (const type of ['load', 'error']) own.addEventListener(type, done);
    });
    place.before(own);
    return loaded;
  });
  await Promise.all(loads);
}

/** Leaves those of the page alone, which is another one if it is given. */
export function dropStyles(next) {
  if (next) ofPage = addressesOf(next);
  for (const sheet of ownOf(document)) if (!ofPage.has(sheet.href)) sheet.remove();
}

// What the other scripts share: a page that takes the place of another one, and a voice for screen readers.

const works = [];

/** Runs `work` on this page, and on each one that takes its place. What can be a listener of the document needs no work. */
export function onEachPage(work) {
  works.push(work);
  work();
}

/** Called once the elements of the page have been replaced. */
export function pageHasChanged() {
  for (const work of works) work();
}

const said = document.createElement('p');
said.className = 'unseen';
said.ariaLive = 'polite';
document.body.append(said);

/** Lets screen readers say a text; an empty one takes it away. */
export function say(text) {
  said.textContent = text;
}

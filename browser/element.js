/** Creates an element with properties and content. */
export function element(name, properties = {}, ...content) {
  const created = Object.assign(document.createElement(name), properties);
  created.append(...content);
  return created;
}

/** The responses of every host besides its links. */
export { appLinks } from './app-links.ts';
export { hostFile } from './host-files.ts';
export { respondToProbe } from './probe.ts';
export { relatedOrigins } from './related-origins.ts';
export { domainRoot } from './root.ts';

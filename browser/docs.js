// What the pages of the docs can do with scripts: the search, buttons that copy code, one language for all examples, the
// service's own origin in commands, and the addresses of the former viewer.
import { followOldAddress } from './docs/old-addresses.js';
import { addCopyButtons, keepLanguage, nameOrigin } from './docs/code.js';
import { openSearch } from './docs/search.js';

followOldAddress(location, (address) => location.replace(address));
nameOrigin();
addCopyButtons();
keepLanguage();
openSearch();

// On a narrow screen the navigation is closed at first.
const contents = document.querySelector('.side details');
if (matchMedia('(max-width: 60rem)').matches) contents.open = false;

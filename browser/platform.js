// What the pages gain where scripts run. All of them work without: links and forms lead to whole pages.

// First, since another script may send the form.
import './zone.js';
import './addresses.js';
import './chart.js';
import './check.js';
import './confirm.js';
import './copied.js';
import './copy.js';
import './domain.js';
import './find.js';
import './leave.js';
import './live.js';
import './menus.js';
import './navigate.js';
import './opened.js';
import './parts.js';
import './print.js';
import './qr.js';
import './search.js';
import './select.js';
import './send.js';
import './several.js';
import './offered.js';
import './shortcuts.js';

// The QR code of the front page's demonstration, which is loaded when it is first needed.

import encodeQr from 'qr';

/** The dark modules of a code as a path of SVG, and how many there are on a side. */
export default function pathOf(text) {
  // The library draws no code without a margin.
  const bordered = encodeQr(text, 'raw', { ecc: 'medium', border: 1, scale: 1 });
  const rows = bordered.slice(1, -1).map((row) => row.slice(1, -1));
  const path = rows.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return { path, size: rows.length };
}

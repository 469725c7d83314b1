/**
 * The libraries for QR codes. They create tables of 64 KiB as they load, so they are imported when the first code is
 * drawn.
 */
export { decode as decodePng, encode as encodePng } from 'fast-png';
export { default as encodeQr } from 'qr';

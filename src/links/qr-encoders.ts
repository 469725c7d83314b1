/** The libraries behind QR codes, which make tables of 64 KiB as they load: imported by the first code that is drawn. */
export { encode as encodePng } from 'fast-png';
export { default as encodeQr } from 'qr';

// Checks the operator's logo, brand/logo.svg or brand/logo.png, by the code that checks the logos of QR codes, and gives it
// as it is served. Any Node from 20 on can run this.
import { existsSync, readFileSync } from 'node:fs';
import { build } from 'esbuild';

/**
 * @param root the project's folder, with a slash at its end
 * @param place the folder with the folder brand/, as the first one
 * @returns {Promise<{ name: string, bytes: Uint8Array } | null>} null if there is none
 */
export async function readBrandLogo(root, place = root) {
  const files = ['brand/logo.svg', 'brand/logo.png'].filter((file) => existsSync(place + file));
  if (files.length === 0) return null;
  if (files.length > 1) throw new Error('brand/ has logo.svg and logo.png: remove one of them.');
  const [file] = files;
  const { readLogo } = await importBundled(root, 'src/links/qr/logo.ts');
  try {
    const { type, bytes } = await readLogo(new Uint8Array(readFileSync(place + file)));
    return { name: `brand-logo.${type === 'image/png' ? 'png' : 'svg'}`, bytes };
  } catch (error) {
    throw new Error(`${file} cannot be the logo. ${error.message}`, { cause: error });
  }
}

/** Older versions of Node cannot import TypeScript. */
async function importBundled(root, entry) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    write: false,
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}

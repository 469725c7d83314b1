import * as z from 'zod';
import { openEnvironmentFile } from './environment-file.ts';

/** Where each environment was last deployed from this folder, such as `https://go.example.com`, for `--remote`. */
export const deployedOrigins = openEnvironmentFile(
  'deployed.json',
  z.url(),
  'deployed.json is damaged: remove it. The next deploy writes it again.',
);

import type { Context } from 'hono';
import type { Device } from '../accounts/sessions/device.ts';
import { classifyVisitor } from '../clicks/visitor.ts';
import { countryOf } from '../network/country.ts';
import type { PlatformEnv } from './env.ts';

/** The description of the browser by its headers, and its country. */
export function deviceOf(c: Context<PlatformEnv>): Device {
  const { browser, os } = classifyVisitor(c.req.header('User-Agent') ?? null);
  return { browser, os, country: countryOf(c.req.raw) };
}

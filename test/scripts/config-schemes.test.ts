import { describe, expect, it } from 'vitest';
import { fault, parse } from './support/settings.ts';

describe('DESTINATION_SCHEMES', () => {
  const parsed = (text: string) => [...parse({ DESTINATION_SCHEMES: text }).destinationSchemes];

  it('DESTINATION_SCHEMES are names of schemes, in any case, with spaces or commas between', () => {
    expect(parsed(' mailto, TEL\nmyapp com.example.app-2 ')).toEqual(['mailto', 'tel', 'myapp', 'com.example.app-2']);
    expect(parsed('')).toEqual([]);
    expect([...parse({}).destinationSchemes]).toEqual([]);
  });

  it.each(['*', 'tel:', 'myapp://', '1app', 'my_app', 'x'.repeat(41)])('DESTINATION_SCHEMES refuses %j', (text) => {
    expect(fault({ DESTINATION_SCHEMES: `mailto ${text}` })).toBe(
      'DESTINATION_SCHEMES must be names of schemes, such as "mailto tel myapp".',
    );
  });

  it.each(['http', 'https'])('DESTINATION_SCHEMES refuses %s', (name) => {
    expect(fault({ DESTINATION_SCHEMES: name })).toBe(
      'DESTINATION_SCHEMES must not have http and https, which every destination may have.',
    );
  });

  it.each([
    'javascript',
    'data',
    'vbscript',
    'file',
    'blob',
    'about',
    'filesystem',
    'view-source',
    'intent',
    'jar',
    'search-ms',
    'ms-word',
    'ms-msdt',
    'JavaScript',
    'chrome',
    'chrome-extension',
    'googlechrome',
    'googlechrome-x-callback',
    'microsoft-edge-https',
    'firefox-focus',
    'opera-http',
    'devtools',
    'x-safari-https',
    'android-app',
    'x-apple.systempreferences',
    'jnlp',
  ])('DESTINATION_SCHEMES refuses %s, which is never a destination', (name) => {
    expect(fault({ DESTINATION_SCHEMES: `tel ${name}` })).toBe(
      `DESTINATION_SCHEMES must not have ${name.toLowerCase()}, which can run or read something on a visitor's device.`,
    );
  });
});

import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Spectral } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../scripts/reference/document.ts';
import { runTool } from './support/project.ts';

/** Lints a document. Returns errors and warnings. */
async function lint(document: object): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const source = JSON.stringify(document);
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
  return problems.map(({ severity, ruleId, location }) => `${severity}: ${ruleId} at ${location[0]?.pointer}`);
}

/** Lints a document with Spectral, which has rules about documentation too. */
async function lintBySpectral(document: object): Promise<string[]> {
  const spectral = new Spectral();
  spectral.setRuleset({ extends: [{ extends: [], ...oas }] });
  const problems = await spectral.run(JSON.stringify(document));
  return problems.map(({ code, path, message }) => `${code} at ${path.join('/')}: ${message}`);
}

describe('the API document', () => {
  it('the API document passes the recommended rules of Redocly', async () => {
    expect(await lint(openApiDocument())).toEqual([]);
  });

  it('the API document passes the OpenAPI rules of Spectral', async () => {
    expect(await lintBySpectral(openApiDocument())).toEqual([]);
  });

  it('the API document would fail with an undescribed credential or tag', async () => {
    const get = { operationId: 'x', security: [{ nothing: [] }], tags: ['Nothing'], responses: {} };
    const wrong = { ...openApiDocument(), paths: { '/x': { get } } };
    expect(await lint(wrong)).toContain('error: security-defined at #/paths/~1x/get/security/0/nothing');
    expect(await lintBySpectral(wrong)).toContainEqual(expect.stringMatching(/^operation-tag-defined at paths/));
  });
});

describe('the types of a client', () => {
  it('the types of a client are those of the API document', async () => {
    expect(await runTool(['scripts/types.ts', '--check'])).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});

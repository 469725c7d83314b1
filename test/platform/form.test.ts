import { Hono } from 'hono';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { AppError } from '../../src/errors.ts';
import type { PlatformEnv } from '../../src/platform/env.ts';
import { wordsIn } from '../../src/platform/words.tsx';
import { readFieldsAndFile, readFieldsAndList, submit } from '../../src/platform/forms/form.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const app = new Hono<PlatformEnv>()
  .post('/list', async (c) => c.json(await readFieldsAndList(c, 'id')))
  .post('/file', async (c) => {
    const { fields, file } = await readFieldsAndFile(c, 'csv', 1000);
    return c.json({ fields, file: file && [file.name, await file.text()] });
  })
  .onError((error, c) => c.json(error instanceof AppError ? error.code : String(error), 400));

const send = async (path: string, body: BodyInit) => (await app.request(path, { method: 'POST', body })).json();

function formWith(file: File | string): FormData {
  const form = new FormData();
  form.set('client', 'acme');
  form.set('csv', file);
  return form;
}

describe('a form with a list', () => {
  it('a form with a list is read as one text per field, and the list', async () => {
    expect(await send('/list', new URLSearchParams('id=a&do=disable&id=b'))).toEqual({
      fields: { do: 'disable' },
      list: ['a', 'b'],
    });
    expect(await send('/list', new URLSearchParams('do=disable'))).toEqual({ fields: { do: 'disable' }, list: [] });
  });

  it('a form with a list has no other field twice', async () => {
    expect(await send('/list', new URLSearchParams('id=a&do=disable&do=delete'))).toBe('repeated_field');
  });
});

describe('a form with a file', () => {
  it('a form with a file is read as one text per field, and the file', async () => {
    expect(await send('/file', formWith(new File(['url\n'], 'links.csv')))).toEqual({
      fields: { client: 'acme' },
      file: ['links.csv', 'url\n'],
    });
  });

  it('a form with a file has none if none was chosen', async () => {
    const none = { fields: { client: 'acme' }, file: null };
    expect(await send('/file', formWith(new File([], '')))).toEqual(none);
    expect(await send('/file', formWith('a text'))).toEqual(none);
  });

  it.each<[string, string, BodyInit]>([
    ['is too large', 'body_too_large', formWith(new File(['x'.repeat(1000)], 'links.csv'))],
    ['is not multipart', 'unsupported_media_type', new URLSearchParams('client=acme')],
  ])('a form with a file that %s is %s', async (_, code, body) => {
    expect(await send('/file', body)).toBe(code);
  });
});

const words = await wordsIn('en');

describe('an error of a form', () => {
  const fields = { slug: 'taken', url: 'x' };
  const headers: Record<string, string> = {};
  const header = (name: string, value?: string) => void (headers[name] = value ?? '');
  const c = { var: { words } as PlatformEnv['Variables'], header, set: vi.fn() };

  it.each<[string, AppError, object]>([
    [
      'by the name of its code',
      new AppError('invalid_url', 'No URL.'),
      { faults: { url: 'No URL.' }, complaint: null },
    ],
    ['by the table of codes', new AppError('slug_taken', 'Taken.'), { faults: { slug: 'Taken.' }, complaint: null }],
    [
      'at the head, where no field is at fault',
      new AppError('edit_conflict', 'Late.'),
      { faults: {}, complaint: 'Late.' },
    ],
    [
      'at the head, where the form has no such field',
      new AppError('invalid_name', 'No.'),
      { faults: {}, complaint: 'No.' },
    ],
  ])('an error of a form is shown %s', async (_, error, expected) => {
    const sent = await submit(c, fields, () => Promise.reject(error));
    expect(sent).toEqual({ ok: false, status: error.status, form: { values: fields, ...expected } });
  });

  it('an error of a form is shown where the page says that its code belongs', async () => {
    const sent = await submit(c, fields, () => Promise.reject(new AppError('key_ended', 'Over.')), {
      key_ended: 'url',
    });
    expect(sent).toMatchObject({ form: { faults: { url: 'Over.' } } });
  });

  it.each(['invalid_credential', 'internal_error', 'not_found'] as const)(
    'an error of a form is not %s, which is thrown again',
    async (code) => {
      const form = { ...c, var: { ...c.var, sent: [] } };
      await expect(submit(form, fields, () => Promise.reject(new AppError(code, 'No.')))).rejects.toMatchObject({
        code,
      });
    },
  );

  it.each(['too_many_requests', 'store_unavailable', 'resolver_unavailable', 'busy'] as const)(
    'an error of a form is %s, with the time after which it can be sent again',
    async (code) => {
      vi.spyOn(console, 'error').mockImplementation(() => undefined);
      const error = new AppError(code, 'Later.', { retryAfterSeconds: 7 });
      const sent = await submit({ ...c, var: { ...c.var, sent: [] } }, fields, () => Promise.reject(error));
      expect(sent).toMatchObject({ ok: false, status: error.status, form: { values: fields, complaint: 'Later.' } });
      expect(headers).toEqual({ 'Retry-After': '7' });
    },
  );

  it.each(['too_many_requests', 'store_unavailable'] as const)(
    'an error of a form is not %s of a page without a form',
    async (code) => {
      await expect(submit(c, fields, () => Promise.reject(new AppError(code, 'No.')))).rejects.toMatchObject({ code });
    },
  );
});

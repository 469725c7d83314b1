import * as z from 'zod';
import { lazy } from '../../isolate/lazy.ts';
import { WITHOUT_CONTROLS } from '../../input/validation.ts';
import { textUpTo } from '../../input/schemas.ts';
import { field } from './field.ts';
import { VISITOR_FIELDS } from './visitor-fields.ts';
import { jsonSchemas } from './json.ts';
import { lineUpTo } from './line.ts';
import { targetUrl } from './url.ts';

export const MAX_PREVIEW_DESCRIPTION_CHARACTERS = 500;

/** The schema of a preview. */
export const preview = lazy(() =>
  z
    .strictObject({
      title: notBlank(lineUpTo(200)).optional().meta({ description: 'The title', brief: '', example: 'Spring sale' }),
      description: notBlank(
        textUpTo(MAX_PREVIEW_DESCRIPTION_CHARACTERS).regex(WITHOUT_CONTROLS, 'must not contain control characters'),
      )
        .optional()
        .meta({ description: 'The description', brief: '', example: 'All of it must go.' }),
      image: targetUrl()
        .transform(({ href }) => href)
        .meta({
          description: 'The URL of an image; it is only named, never fetched',
          example: 'https://example.com/a.png',
        })
        .optional(),
    })
    .refine((it) => Object.values(it).some((value) => value !== undefined), {
      error: 'must have a title, a description or an image: null clears it',
    }),
);

const meta = {
  description: 'What programs show that draw a preview of the link, such as messengers',
  brief: 'What link previews show',
};

function notBlank(text: z.ZodString): z.ZodString {
  return text.refine((it) => it.trim() !== '', 'must not be empty: leave it out');
}

export type Preview = z.output<ReturnType<typeof preview>>;

/** The response that link-preview programs get instead of the redirect. */
export const previewField = field({
  label: 'Link preview',
  ...VISITOR_FIELDS.preview,
  description: 'The title, the description and the image of link previews; null for those of the destination',
  isPublished: false,
  isSearched: false,
  destinationsIn: (text) => {
    const { image } = JSON.parse(text) as Preview;
    return image === undefined ? [] : [{ path: ['image'], href: image }];
  },
  schemas: () => jsonSchemas(z.lazy(preview).meta(meta)),
});

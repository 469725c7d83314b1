import { APP_LINK_FILES, APP_LINK_PATHS, type AppLinkFile } from '../../domains/app-links.ts';
import type { DomainWithAppLinks } from '../../domains/domain.ts';
import { newForm, type FormState } from '../forms/form.ts';
import { Actions, Button } from '../kit/button.tsx';
import { Disclosure } from '../kit/disclosure.tsx';
import { Form, TextArea } from '../kit/form.tsx';
import { Facts, Section } from '../kit/section.tsx';
import { shownWhole } from '../links/display-url.ts';
import { useWords, type PlainKey } from '../words.tsx';

const WORDS = {
  apple_app_site_association: { platform: 'domains.apple', label: 'domains.appleFile' },
  asset_links: { platform: 'domains.android', label: 'domains.androidFile' },
} as const satisfies Readonly<Record<AppLinkFile, { readonly platform: PlainKey; readonly label: PlainKey }>>;

/** The files of app links, and for owners a form to change them. */
export function AppLinksSection({
  domain: { host, appLinks },
  isOwner,
  form,
  action,
}: {
  domain: DomainWithAppLinks;
  isOwner: boolean;
  /** The form, if it was sent. */
  form: FormState | undefined;
  action: string;
}) {
  const { text } = useWords();
  const urlOf = (file: AppLinkFile) => urlAt(host, file);
  const stored = newForm(Object.fromEntries(APP_LINK_FILES.map((file) => [file, appLinks[file] ?? ''])));
  const isUsed = APP_LINK_FILES.some((file) => appLinks[file] !== null);
  return (
    <Section id="app-links" title={text('domains.appLinks')} hint={text('domains.appLinksHint')}>
      {isOwner ? (
        <Disclosure label={text('domains.files')} open={form !== undefined || isUsed}>
          <AppLinksForm form={form ?? stored} action={action} host={host} />
        </Disclosure>
      ) : (
        <Facts
          facts={APP_LINK_FILES.map((file) => ({
            term: text(WORDS[file].platform),
            value:
              appLinks[file] === null ? text('domains.noFile') : <a href={urlOf(file)}>{shownWhole(urlOf(file))}</a>,
          }))}
        />
      )}
    </Section>
  );
}

const urlAt = (host: string, file: AppLinkFile) => `https://${host}${APP_LINK_PATHS[file]}`;

/** The form of the files. @param host that of the domain; null if it is not known */
export function AppLinksForm({ form, action, host }: { form: FormState; action: string; host: string | null }) {
  const { text, content } = useWords();
  return (
    <Form form={form} action={action} multipart>
      {APP_LINK_FILES.map((file) => (
        <TextArea
          form={form}
          name={file}
          label={text(WORDS[file].label)}
          hint={
            host !== null &&
            content('domains.fileHint', {
              url: shownWhole(urlAt(host, file)),
              address: (inside) => (
                <code class="broken" title={urlAt(host, file)}>
                  {inside}
                </code>
              ),
            })
          }
          rows={8}
          code
          optional
        />
      ))}
      <Actions>
        <Button kind="quiet">{text('domains.saveAppLinks')}</Button>
      </Actions>
    </Form>
  );
}

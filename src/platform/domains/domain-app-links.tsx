import { APP_LINK_FILES, APP_LINK_PATHS, type AppLinkFile } from '../../domains/app-links.ts';
import type { DomainWithAppLinks } from '../../domains/domain.ts';
import { newForm, type FormState } from '../forms/form.ts';
import { Actions, Button } from '../kit/button.tsx';
import { Disclosure } from '../kit/disclosure.tsx';
import { Form, TextArea } from '../kit/form.tsx';
import { Facts, Section } from '../kit/section.tsx';
import { shownWhole } from '../links/display-url.ts';

const WORDS: Readonly<Record<AppLinkFile, { readonly platform: string; readonly label: string }>> = {
  apple_app_site_association: { platform: 'Apple', label: 'apple-app-site-association for Apple' },
  asset_links: { platform: 'Android', label: 'assetlinks.json for Android' },
};

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
  const urlOf = (file: AppLinkFile) => urlAt(host, file);
  const stored = newForm(Object.fromEntries(APP_LINK_FILES.map((file) => [file, appLinks[file] ?? ''])));
  const isUsed = APP_LINK_FILES.some((file) => appLinks[file] !== null);
  return (
    <Section id="app-links" title="App links" hint="Two files by which links of this domain open in your own apps.">
      {isOwner ? (
        <Disclosure label="Files" open={form !== undefined || isUsed}>
          <AppLinksForm form={form ?? stored} action={action} host={host} />
        </Disclosure>
      ) : (
        <Facts
          facts={APP_LINK_FILES.map((file) => ({
            term: WORDS[file].platform,
            value: appLinks[file] === null ? 'None' : <a href={urlOf(file)}>{shownWhole(urlOf(file))}</a>,
          }))}
        />
      )}
    </Section>
  );
}

const urlAt = (host: string, file: AppLinkFile) => `https://${host}${APP_LINK_PATHS[file]}`;

/** The form of the files. @param host that of the domain; null if it is not known */
export function AppLinksForm({ form, action, host }: { form: FormState; action: string; host: string | null }) {
  return (
    <Form form={form} action={action} multipart>
      {APP_LINK_FILES.map((file) => (
        <TextArea
          form={form}
          name={file}
          label={WORDS[file].label}
          hint={
            host !== null && (
              <>
                JSON, served at{' '}
                <code class="broken" title={urlAt(host, file)}>
                  {shownWhole(urlAt(host, file))}
                </code>
              </>
            )
          }
          rows={8}
          code
          optional
        />
      ))}
      <Actions>
        <Button kind="quiet">Save app links</Button>
      </Actions>
    </Form>
  );
}

import type { VisitorTexts } from '../texts.ts';

export default {
  password: {
    title: 'Passwort eingeben',
    errorTitle: 'Fehler: Passwort eingeben',
    lead: 'Dieser Link ist geschützt. Das Passwort bekommen Sie von der Person, die ihn geschickt hat.',
    label: 'Passwort',
    submit: 'Weiter',
    wrong: 'Das Passwort ist falsch.',
    tooMany: 'Zu viele Versuche. Bitte warten Sie eine Minute und versuchen Sie es dann noch einmal.',
  },
  ask: {
    websiteTitle: 'Weiter zu einer anderen Website?',
    appTitle: 'In einer App öffnen?',
    website: 'Dieser Link führt zu <strong>{host}</strong>',
    app: 'Dieser Link öffnet eine App auf Ihrem Gerät: <strong>{scheme}</strong>',
    appOrWebsite:
      'Dieser Link öffnet eine App auf Ihrem Gerät: <strong>{scheme}</strong>. Ohne die App führt er zu <strong>{host}</strong>',
    submit: 'Weiter',
  },
  app: {
    title: 'Weiter in der App',
    lead: 'Dieser Link öffnet eine App. Wenn Sie die App nicht haben, geht es im Browser weiter.',
    open: 'App öffnen',
    browser: 'Weiter im Browser',
  },
  inspect: {
    title: 'Wohin dieser Link führt',
    elsewhere: 'Manche Besucher werden zu einer anderen Seite weitergeleitet.',
    created: 'Der Link wurde am {day, date, long} (UTC) erstellt.',
    blocked: 'Der Betreiber dieses Dienstes hat die Website gesperrt, zu der der Link führt.',
  },
  program: {
    title: 'Kurzlink',
    lead: 'Bitte öffnen Sie diesen Link in einem Browser.',
  },
  notFound: {
    title: 'Link nicht gefunden',
    advice: 'Bitte prüfen Sie, ob die Adresse richtig geschrieben ist.',
  },
  gone: {
    title: 'Dieser Link ist nicht mehr verfügbar',
    advice:
      'Er ist abgelaufen oder wurde deaktiviert oder gelöscht. Bitten Sie die Person, die ihn geschickt hat, um einen neuen Link.',
  },
  blocked: {
    title: 'Dieser Link wurde gesperrt',
    advice:
      'Der Betreiber dieses Dienstes hat die Website gesperrt, zu der der Link führt, zum Beispiel weil sie schädlich ist. Sie wurden nicht weitergeleitet. Wenn Sie das für einen Irrtum halten, wenden Sie sich an die Person, die den Link geschickt hat.',
  },
  unavailable: {
    title: 'Dieser Link ist vorübergehend nicht erreichbar',
    advice: 'Unser Dienst hat gerade eine Störung. Bitte versuchen Sie es in ein paar Sekunden noch einmal.',
  },
  unsupported: {
    title: 'Diese Anfrage wird nicht unterstützt',
    advice: 'Bitte öffnen Sie Kurzlinks in einem Browser oder mit einer GET-Anfrage.',
  },
} satisfies VisitorTexts;

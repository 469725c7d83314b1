import type { MailTexts } from '../texts.ts';

/** The texts of mails in German. */
export default {
  mail: {
    footer: 'Gesendet von {service}, {host}. Die E-Mail erfasst nicht, wer sie liest.',
    linkAgain: 'Wenn die Schaltfläche nicht funktioniert, öffnen Sie diese Adresse in Ihrem Browser:',
  },
  confirm: {
    subject: 'Bestätigen Sie Ihre Adresse',
    lead: 'Diese Adresse wurde für ein Konto bei {service} eingegeben. Öffnen Sie den Link in einem Browser, in dem Sie in diesem Konto angemeldet sind.',
    button: 'Adresse bestätigen',
    note: 'Der Link funktioniert einmal, innerhalb einer Stunde. Wenn Sie die Adresse nicht eingegeben haben, müssen Sie nichts tun: Sie erhält keine weitere E-Mail.',
  },
  addressChanged: {
    subject: 'Diese Adresse wird nicht mehr verwendet',
    lead: 'Ihr Konto bei {service} verwendet diese Adresse nicht mehr: Sie wurde am {at} ersetzt oder entfernt.',
    button: 'Konto öffnen',
    note: 'Wenn Sie das nicht waren, ändern Sie Ihr Passwort, und melden Sie andere Browser ab.',
  },
  invite: {
    subject: 'Einladung in einen Workspace',
    lead: 'Sie sind in den Workspace {workspace} bei {service} eingeladen.',
    leadUnnamed: 'Sie sind in einen Workspace bei {service} eingeladen.',
    button: 'Einladung öffnen',
    note: 'Die Einladung kann einmal angenommen werden, bis {at}, von einer Person, die angemeldet ist oder ein Konto erstellt. Wenn Sie sie nicht erwartet haben, müssen Sie nichts tun.',
  },
  reset: {
    subject: 'Wählen Sie ein neues Passwort',
    lead: 'Für Ihr Konto bei {service} wurde ein Link angefordert, mit dem ein neues Passwort gewählt wird.',
    button: 'Neues Passwort wählen',
    note: 'Der Link funktioniert einmal, innerhalb einer Stunde. Er ändert keinen zweiten Faktor. Wenn Sie ihn nicht angefordert haben, müssen Sie nichts tun: Ihr Passwort bleibt gleich.',
  },
  newDevice: {
    subject: 'Anmeldung auf einem neuen Gerät',
    lead: 'Am {at} wurde Ihr Konto bei {service} mit einem Browser, einem System oder aus einem Land angemeldet, das nicht im Verlauf seiner Anmeldungen steht: {device}.',
    unknown: 'unbekanntes Gerät',
    button: 'Verlauf der Anmeldungen öffnen',
    note: 'Wenn Sie das nicht waren, ändern Sie Ihr Passwort, und melden Sie andere Browser ab.',
  },
  passwordChanged: {
    subject: 'Ihr Passwort wurde geändert',
    lead: 'Das Passwort Ihres Kontos bei {service} wurde am {at} auf der Seite des Kontos geändert. Alle anderen Browser wurden abgemeldet.',
    leadLink:
      'Mit einem Link wurde am {at} ein neues Passwort für Ihr Konto bei {service} gewählt. Es wurde überall abgemeldet.',
    leadOwner:
      'Mit dem Link eines Inhabers des Workspace {workspace} wurde am {at} ein neues Passwort für Ihr Konto bei {service} gewählt. Es wurde überall abgemeldet.',
    leadUnnamed:
      'Mit dem Link eines Inhabers Ihres Workspace wurde am {at} ein neues Passwort für Ihr Konto bei {service} gewählt. Es wurde überall abgemeldet.',
    leadOperator:
      'Der Betreiber von {service} hat am {at} das Passwort Ihres Kontos geändert. Es wurde überall abgemeldet.',
    button: 'Anderes Passwort wählen',
    note: 'Wenn Sie von dieser Änderung nichts wissen, wählen Sie jetzt ein anderes Passwort.',
  },
  factorsChanged: {
    subject: 'Anmeldung in zwei Schritten geändert',
    lead: 'Die Anmeldung in zwei Schritten oder die Passkeys Ihres Kontos bei {service} wurden am {at} geändert.',
    button: 'Anmeldung in zwei Schritten öffnen',
    note: 'Wenn Sie das nicht waren, ändern Sie Ihr Passwort, und melden Sie andere Browser ab.',
  },
  factorsReset: {
    subject: 'Anmeldung in zwei Schritten ausgeschaltet',
    lead: 'Der Betreiber von {service} hat am {at} die Anmeldung in zwei Schritten Ihres Kontos ausgeschaltet und es überall abgemeldet.',
    leadMember:
      'Der Betreiber von {service} hat am {at} die Anmeldung in zwei Schritten eines Mitglieds des Workspace {workspace} ausgeschaltet.',
    leadUnnamed:
      'Der Betreiber von {service} hat am {at} die Anmeldung in zwei Schritten eines Mitglieds Ihres Workspace ausgeschaltet.',
    button: 'Anmeldung in zwei Schritten öffnen',
    buttonMember: 'Audit-Protokoll öffnen',
    note: 'Wenn Sie nicht darum gebeten haben, schreiben Sie dem Betreiber.',
  },
  identityChanged: {
    subject: 'Die Identität einer Anmeldung wurde geändert',
    lead: 'Der Betreiber von {service} hat am {at} die Identität geändert, mit der Sie sich beim Anbieter Ihres Unternehmens anmelden. Sitzungen der früheren Identität wurden abgemeldet.',
    leadMember:
      'Der Betreiber von {service} hat am {at} die Identität geändert, mit der sich ein Mitglied des Workspace {workspace} beim Anbieter des Unternehmens anmeldet.',
    leadUnnamed:
      'Der Betreiber von {service} hat am {at} die Identität geändert, mit der sich ein Mitglied Ihres Workspace beim Anbieter des Unternehmens anmeldet.',
    button: 'Verlauf der Anmeldungen öffnen',
    buttonMember: 'Audit-Protokoll öffnen',
    note: 'Wenn Sie nicht darum gebeten haben, schreiben Sie dem Betreiber.',
  },
  factorDemanded: {
    subject: 'Richten Sie die Anmeldung in zwei Schritten ein',
    lead: 'Der Workspace {workspace} bei {service} verlangt ab {at} von seinen Mitgliedern die Anmeldung in zwei Schritten, die Ihr Konto nicht hat.',
    leadUnnamed:
      'Einer Ihrer Workspaces bei {service} verlangt ab {at} von seinen Mitgliedern die Anmeldung in zwei Schritten, die Ihr Konto nicht hat.',
    button: 'Anmeldung in zwei Schritten einrichten',
    note: 'Ohne sie können dann weder Sie noch Programme mit Ihrem Passwort den Workspace öffnen. API-Schlüssel funktionieren weiter.',
  },
  unconfirmed: {
    subject: 'Melden Sie sich mit Ihrem Unternehmen an',
    lead: 'Der Anbieter, bei dem sich Ihr Unternehmen anmeldet, hat Sie seit einiger Zeit nicht bestätigt. Melden Sie sich vor {at} mit ihm an, sonst wird Ihr Zugang zum Workspace {workspace} bei {service} ausgesetzt.',
    leadUnnamed:
      'Der Anbieter, bei dem sich Ihr Unternehmen anmeldet, hat Sie seit einiger Zeit nicht bestätigt. Melden Sie sich vor {at} mit ihm an, sonst wird Ihr Zugang zu einem Workspace bei {service} ausgesetzt.',
    leadAll:
      'Der Anbieter, bei dem sich Ihr Unternehmen anmeldet, hat Sie seit einiger Zeit nicht bestätigt. Melden Sie sich vor {at} mit ihm an, sonst wird Ihr Zugang zu Ihren Workspaces bei {service} ausgesetzt.',
    button: 'Anmeldeseite öffnen',
    note: 'Mit Ihrem Zugang werden auch API-Schlüssel, Anwendungspasswörter und verbundene Anwendungen ausgesetzt. Die nächste Anmeldung mit dem Anbieter stellt alles wieder her.',
  },
  keyExpires: {
    subject: 'Ein API-Schlüssel läuft bald ab',
    lead: 'Ein API-Schlüssel von Ihnen im Workspace {workspace} bei {service} läuft am {at} ab.',
    leadUnnamed: 'Ein API-Schlüssel von Ihnen bei {service} läuft am {at} ab.',
    button: 'Schlüssel öffnen',
    note: 'Programme, die ihn verwenden, funktionieren dann nicht mehr. Erstellen Sie vorher einen anderen Schlüssel, und ersetzen Sie den alten.',
  },
  domainLost: {
    subject: 'Eine Domain ist verloren',
    lead: 'Die DNS-Einträge einer Domain des Workspace {workspace} bei {service} wurden nicht mehr gefunden. Ihre Links funktionieren deshalb nicht mehr.',
    leadUnnamed:
      'Die DNS-Einträge einer Domain Ihres Workspace bei {service} wurden nicht mehr gefunden. Ihre Links funktionieren deshalb nicht mehr.',
    button: 'Domains öffnen',
    note: 'Sobald die Einträge wieder da sind, bestätigen Sie die Domain auf ihrer Seite.',
  },
  webhookDisabled: {
    subject: 'Ein Webhook ist deaktiviert',
    lead: 'Ein Webhook des Workspace {workspace} bei {service} wurde deaktiviert, weil sein Empfänger zu lange Fehler hatte oder geantwortet hat, dass es ihn nicht mehr gibt.',
    leadUnnamed:
      'Ein Webhook Ihres Workspace bei {service} wurde deaktiviert, weil sein Empfänger zu lange Fehler hatte oder geantwortet hat, dass es ihn nicht mehr gibt.',
    button: 'Webhooks öffnen',
    note: 'Aktivieren Sie ihn auf seiner Seite, sobald der Empfänger wieder antwortet.',
  },
} satisfies MailTexts;

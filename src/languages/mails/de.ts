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

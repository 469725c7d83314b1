import type { MailTexts } from '../texts.ts';

/** The texts of mails in French. */
export default {
  mail: {
    footer: 'Envoyé par {service}, {host}. Cet e-mail ne suit pas qui le lit.',
    linkAgain: 'Si le bouton ne fonctionne pas, ouvrez cette adresse dans votre navigateur :',
  },
  confirm: {
    subject: 'Confirmez votre adresse',
    lead: 'Cette adresse a été saisie pour un compte sur {service}. Ouvrez le lien dans un navigateur où vous avez ouvert une session avec ce compte.',
    button: 'Confirmer l’adresse',
    note: 'Le lien fonctionne une fois, pendant une heure. Si vous n’avez pas saisi cette adresse, ne faites rien : elle ne recevra pas d’autre e-mail.',
  },
  addressChanged: {
    subject: 'Cette adresse n’est plus utilisée',
    lead: 'Votre compte sur {service} n’utilise plus cette adresse : elle a été remplacée ou supprimée le {at}.',
    button: 'Ouvrir votre compte',
    note: 'Si ce n’était pas vous, changez votre mot de passe et déconnectez les autres navigateurs.',
  },
  invite: {
    subject: 'Invitation à un espace de travail',
    lead: 'Vous recevez une invitation à l’espace de travail {workspace} sur {service}.',
    leadUnnamed: 'Vous recevez une invitation à un espace de travail sur {service}.',
    button: 'Ouvrir l’invitation',
    note: 'L’invitation peut être acceptée une fois, jusqu’au {at}, par une personne qui a ouvert une session ou crée un compte. Si vous ne l’attendiez pas, ne faites rien.',
  },
  reset: {
    subject: 'Choisissez un nouveau mot de passe',
    lead: 'Un lien pour choisir un nouveau mot de passe a été demandé pour votre compte sur {service}.',
    button: 'Choisir un nouveau mot de passe',
    note: 'Le lien fonctionne une fois, pendant une heure. Il ne change aucun second facteur. Si vous ne l’avez pas demandé, ne faites rien : votre mot de passe reste le même.',
  },
  newDevice: {
    subject: 'Connexion depuis un nouvel appareil',
    lead: 'Une connexion à votre compte sur {service} a eu lieu le {at} depuis un navigateur, un système ou un pays absent de l’historique de ses connexions : {device}.',
    unknown: 'appareil inconnu',
    button: 'Ouvrir l’historique des connexions',
    note: 'Si ce n’était pas vous, changez votre mot de passe et déconnectez les autres navigateurs.',
  },
  passwordChanged: {
    subject: 'Votre mot de passe a changé',
    lead: 'Le mot de passe de votre compte sur {service} a été changé le {at} sur la page du compte, ce qui a déconnecté tous les autres navigateurs.',
    leadLink:
      'Un lien a servi le {at} à choisir un nouveau mot de passe pour votre compte sur {service}, ce qui l’a déconnecté partout.',
    leadOwner:
      'Le lien d’un propriétaire de l’espace de travail {workspace} a servi le {at} à choisir un nouveau mot de passe pour votre compte sur {service}, ce qui l’a déconnecté partout.',
    leadUnnamed:
      'Le lien d’un propriétaire de votre espace de travail a servi le {at} à choisir un nouveau mot de passe pour votre compte sur {service}, ce qui l’a déconnecté partout.',
    leadOperator:
      'L’exploitant de {service} a changé le mot de passe de votre compte le {at}, ce qui l’a déconnecté partout.',
    button: 'Choisir un autre mot de passe',
    note: 'Si vous n’êtes pas au courant de ce changement, choisissez maintenant un autre mot de passe.',
  },
  factorsChanged: {
    subject: 'La connexion en deux étapes a changé',
    lead: 'La connexion en deux étapes ou les clés d’accès de votre compte sur {service} ont changé le {at}.',
    button: 'Ouvrir la connexion en deux étapes',
    note: 'Si ce n’était pas vous, changez votre mot de passe et déconnectez les autres navigateurs.',
  },
  factorsReset: {
    subject: 'La connexion en deux étapes est désactivée',
    lead: 'L’exploitant de {service} a désactivé la connexion en deux étapes de votre compte le {at}, et l’a déconnecté partout.',
    leadMember:
      'L’exploitant de {service} a désactivé la connexion en deux étapes d’un membre de l’espace de travail {workspace} le {at}.',
    leadUnnamed:
      'L’exploitant de {service} a désactivé la connexion en deux étapes d’un membre de votre espace de travail le {at}.',
    button: 'Ouvrir la connexion en deux étapes',
    buttonMember: 'Ouvrir le journal',
    note: 'Si vous ne l’avez pas demandé, écrivez à l’exploitant.',
  },
  identityChanged: {
    subject: 'L’identité d’une connexion a changé',
    lead: 'L’exploitant de {service} a changé le {at} l’identité avec laquelle vous vous connectez par le fournisseur de votre entreprise. Les sessions de l’identité précédente ont été fermées.',
    leadMember:
      'L’exploitant de {service} a changé le {at} l’identité avec laquelle un membre de l’espace de travail {workspace} se connecte par le fournisseur de l’entreprise.',
    leadUnnamed:
      'L’exploitant de {service} a changé le {at} l’identité avec laquelle un membre de votre espace de travail se connecte par le fournisseur de l’entreprise.',
    button: 'Ouvrir l’historique des connexions',
    buttonMember: 'Ouvrir le journal',
    note: 'Si vous ne l’avez pas demandé, écrivez à l’exploitant.',
  },
  factorDemanded: {
    subject: 'Configurez la connexion en deux étapes',
    lead: 'L’espace de travail {workspace} sur {service} exige la connexion en deux étapes de ses membres à partir du {at}, et votre compte n’en a pas.',
    leadUnnamed:
      'Un de vos espaces de travail sur {service} exige la connexion en deux étapes de ses membres à partir du {at}, et votre compte n’en a pas.',
    button: 'Configurer la connexion en deux étapes',
    note: 'Sans elle, ni vous ni les programmes qui utilisent votre mot de passe ne pourrez alors ouvrir l’espace de travail. Les clés API continuent de fonctionner.',
  },
  unconfirmed: {
    subject: 'Connectez-vous avec votre entreprise',
    lead: 'Le fournisseur par lequel votre entreprise se connecte ne vous a pas confirmé depuis un certain temps. Connectez-vous par lui avant le {at}, sinon votre accès à l’espace de travail {workspace} sur {service} sera suspendu.',
    leadUnnamed:
      'Le fournisseur par lequel votre entreprise se connecte ne vous a pas confirmé depuis un certain temps. Connectez-vous par lui avant le {at}, sinon votre accès à un espace de travail sur {service} sera suspendu.',
    leadAll:
      'Le fournisseur par lequel votre entreprise se connecte ne vous a pas confirmé depuis un certain temps. Connectez-vous par lui avant le {at}, sinon votre accès à vos espaces de travail sur {service} sera suspendu.',
    button: 'Ouvrir la page de connexion',
    note: 'Les clés API, les mots de passe d’application et les applications connectées sont suspendus avec votre accès. La prochaine connexion par ce fournisseur rétablit tout.',
  },
  keyExpires: {
    subject: 'Une clé API expire bientôt',
    lead: 'Une de vos clés API dans l’espace de travail {workspace} sur {service} expire le {at}.',
    leadUnnamed: 'Une de vos clés API sur {service} expire le {at}.',
    button: 'Ouvrir les clés',
    note: 'Les programmes qui l’utilisent cesseront alors de fonctionner. Créez une autre clé avant, et remplacez l’ancienne.',
  },
  domainLost: {
    subject: 'Un domaine est perdu',
    lead: 'Les enregistrements DNS d’un domaine de l’espace de travail {workspace} sur {service} sont introuvables : ses liens ne fonctionnent plus.',
    leadUnnamed:
      'Les enregistrements DNS d’un domaine de votre espace de travail sur {service} sont introuvables : ses liens ne fonctionnent plus.',
    button: 'Ouvrir les domaines',
    note: 'Une fois les enregistrements rétablis, vérifiez le domaine sur sa page.',
  },
  webhookDisabled: {
    subject: 'Un webhook est désactivé',
    lead: 'Un webhook de l’espace de travail {workspace} sur {service} a été désactivé : son destinataire a échoué trop longtemps ou a répondu qu’il n’existe plus.',
    leadUnnamed:
      'Un webhook de votre espace de travail sur {service} a été désactivé : son destinataire a échoué trop longtemps ou a répondu qu’il n’existe plus.',
    button: 'Ouvrir les webhooks',
    note: 'Activez-le sur sa page dès que le destinataire répond de nouveau.',
  },
} satisfies MailTexts;

import type { VisitorTexts } from '../texts.ts';

export default {
  password: {
    title: 'Saisissez le mot de passe',
    errorTitle: 'Erreur : saisissez le mot de passe',
    lead: 'Ce lien est protégé. Demandez le mot de passe à la personne qui vous l’a envoyé.',
    label: 'Mot de passe',
    submit: 'Continuer',
    wrong: 'Le mot de passe est incorrect.',
    tooMany: 'Trop de tentatives. Patientez une minute, puis réessayez.',
  },
  ask: {
    websiteTitle: 'Continuer vers un autre site ?',
    appTitle: 'Continuer dans une application ?',
    website: 'Ce lien mène à <strong>{host}</strong>',
    app: 'Ce lien ouvre une application sur votre appareil : <strong>{scheme}</strong>',
    appOrWebsite:
      'Ce lien ouvre une application sur votre appareil : <strong>{scheme}</strong>. Sans elle, il mène à <strong>{host}</strong>',
    submit: 'Continuer',
  },
  app: {
    title: 'Continuer dans l’application',
    lead: 'Ce lien ouvre une application. Si vous ne l’avez pas, continuez dans le navigateur.',
    open: 'Ouvrir l’application',
    browser: 'Continuer dans le navigateur',
  },
  inspect: {
    title: 'Où mène ce lien',
    elsewhere: 'Certains visiteurs peuvent être redirigés vers une autre page.',
    created: 'Ce lien a été créé le {day, date, long} (UTC).',
    blocked: 'L’exploitant de ce service a bloqué le site vers lequel mène ce lien.',
  },
  program: {
    title: 'Lien court',
    lead: 'Ouvrez ce lien dans un navigateur pour le suivre.',
  },
  notFound: {
    title: 'Lien introuvable',
    advice: 'Vérifiez que l’adresse ne contient pas de faute de frappe.',
  },
  gone: {
    title: 'Ce lien n’est plus disponible',
    advice:
      'Il a expiré, ou son propriétaire l’a désactivé ou supprimé. Demandez un nouveau lien à la personne qui vous l’a envoyé.',
  },
  blocked: {
    title: 'Ce lien a été bloqué',
    advice:
      'L’exploitant de ce service a bloqué le site vers lequel mène ce lien, par exemple parce qu’il est dangereux. Aucune redirection n’a eu lieu. Si vous pensez qu’il s’agit d’une erreur, contactez la personne qui vous a envoyé le lien.',
  },
  unavailable: {
    title: 'Ce lien est momentanément indisponible',
    advice: 'Notre service rencontre un problème passager. Réessayez dans quelques secondes.',
  },
  unsupported: {
    title: 'Cette requête n’est pas prise en charge',
    advice: 'Ouvrez les liens courts dans un navigateur ou avec une requête GET.',
  },
} satisfies VisitorTexts;

import type { VisitorTexts } from '../texts.ts';

export default {
  password: {
    title: 'Digite a senha',
    errorTitle: 'Erro: digite a senha',
    lead: 'Este link é protegido. Peça a senha à pessoa que o enviou.',
    label: 'Senha',
    submit: 'Continuar',
    wrong: 'A senha está incorreta.',
    tooMany: 'Muitas tentativas. Aguarde um minuto e tente novamente.',
  },
  ask: {
    websiteTitle: 'Continuar para outro site?',
    appTitle: 'Continuar em um aplicativo?',
    website: 'Este link leva a <strong>{host}</strong>',
    app: 'Este link abre um aplicativo no seu dispositivo: <strong>{scheme}</strong>',
    appOrWebsite:
      'Este link abre um aplicativo no seu dispositivo: <strong>{scheme}</strong>. Sem ele, leva a <strong>{host}</strong>',
    submit: 'Continuar',
  },
  app: {
    title: 'Continuar no aplicativo',
    lead: 'Este link abre um aplicativo. Se você não o tem, continue no navegador.',
    open: 'Abrir o aplicativo',
    browser: 'Continuar no navegador',
  },
  inspect: {
    title: 'Para onde este link leva',
    elsewhere: 'Alguns visitantes podem ser redirecionados para outra página.',
    created: 'O link foi criado em {day, date, long} (UTC).',
    blocked: 'O operador deste serviço bloqueou o site ao qual o link leva.',
  },
  program: {
    title: 'Link curto',
    lead: 'Abra este link em um navegador.',
  },
  notFound: {
    title: 'Link não encontrado',
    advice: 'Verifique se o endereço foi digitado corretamente.',
  },
  gone: {
    title: 'Este link não está mais disponível',
    advice: 'Ele expirou, ou o proprietário o desativou ou excluiu. Peça um novo link à pessoa que o enviou.',
  },
  blocked: {
    title: 'Este link foi bloqueado',
    advice:
      'O operador deste serviço bloqueou o site ao qual o link leva, por exemplo, por ser perigoso. Nenhum redirecionamento foi feito. Se você acha que houve um engano, fale com a pessoa que enviou o link.',
  },
  unavailable: {
    title: 'Este link está temporariamente indisponível',
    advice: 'Nosso serviço está com um problema temporário. Tente novamente em alguns segundos.',
  },
  unsupported: {
    title: 'Esta solicitação não é aceita',
    advice: 'Abra links curtos em um navegador ou com uma solicitação GET.',
  },
} satisfies VisitorTexts;

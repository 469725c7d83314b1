import type { VisitorTexts } from '../texts.ts';

export default {
  password: {
    title: 'Introduzca la contraseña',
    errorTitle: 'Error: introduzca la contraseña',
    lead: 'Este enlace está protegido. Pida la contraseña a la persona que se lo envió.',
    label: 'Contraseña',
    submit: 'Continuar',
    wrong: 'La contraseña no es correcta.',
    tooMany: 'Demasiados intentos. Espere un minuto y vuelva a intentarlo.',
  },
  ask: {
    websiteTitle: '¿Continuar a otro sitio web?',
    appTitle: '¿Continuar en una aplicación?',
    website: 'Este enlace lleva a <strong>{host}</strong>',
    app: 'Este enlace abre una aplicación en su dispositivo: <strong>{scheme}</strong>',
    appOrWebsite:
      'Este enlace abre una aplicación en su dispositivo: <strong>{scheme}</strong>. Sin ella, lleva a <strong>{host}</strong>',
    submit: 'Continuar',
  },
  app: {
    title: 'Continuar en la aplicación',
    lead: 'Este enlace abre una aplicación. Si no la tiene, continúe en el navegador.',
    open: 'Abrir la aplicación',
    browser: 'Continuar en el navegador',
  },
  inspect: {
    title: 'Adónde lleva este enlace',
    elsewhere: 'Es posible que algunos visitantes sean redirigidos a otra página.',
    created: 'El enlace se creó el {day, date, long} (UTC).',
    blocked: 'El operador de este servicio ha bloqueado el sitio web al que lleva el enlace.',
  },
  program: {
    title: 'Enlace corto',
    lead: 'Abra este enlace en un navegador para seguirlo.',
  },
  notFound: {
    title: 'Enlace no encontrado',
    advice: 'Compruebe que la dirección esté bien escrita.',
  },
  gone: {
    title: 'Este enlace ya no está disponible',
    advice:
      'Ha caducado, o su propietario lo ha desactivado o eliminado. Pida un enlace nuevo a la persona que se lo envió.',
  },
  blocked: {
    title: 'Este enlace está bloqueado',
    advice:
      'El operador de este servicio ha bloqueado el sitio web al que lleva el enlace, por ejemplo, porque es peligroso. No se ha producido ninguna redirección. Si cree que se trata de un error, hable con la persona que le envió el enlace.',
  },
  unavailable: {
    title: 'Este enlace no está disponible por el momento',
    advice: 'Nuestro servicio tiene un problema pasajero. Vuelva a intentarlo en unos segundos.',
  },
  unsupported: {
    title: 'Esta solicitud no se admite',
    advice: 'Abra los enlaces cortos en un navegador o con una solicitud GET.',
  },
} satisfies VisitorTexts;

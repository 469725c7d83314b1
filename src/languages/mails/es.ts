import type { MailTexts } from '../texts.ts';

/** The texts of mails in Spanish. */
export default {
  mail: {
    footer: 'Enviado por {service}, {host}. Este correo no registra quién lo lee.',
    linkAgain: 'Si el botón no funciona, abra esta dirección en su navegador:',
  },
  confirm: {
    subject: 'Confirme su dirección',
    lead: 'Esta dirección se introdujo para una cuenta en {service}. Abra el enlace en un navegador en el que tenga una sesión iniciada con esa cuenta.',
    button: 'Confirmar la dirección',
    note: 'El enlace funciona una vez, durante una hora. Si no ha introducido la dirección, no haga nada: no recibirá ningún otro correo.',
  },
  addressChanged: {
    subject: 'Esta dirección ya no se usa',
    lead: 'Su cuenta en {service} ya no usa esta dirección: se sustituyó o se eliminó el {at}.',
    button: 'Abrir su cuenta',
    note: 'Si no ha sido usted, cambie su contraseña y cierre la sesión en los demás navegadores.',
  },
  invite: {
    subject: 'Invitación a un espacio de trabajo',
    lead: 'Tiene una invitación al espacio de trabajo {workspace} en {service}.',
    leadUnnamed: 'Tiene una invitación a un espacio de trabajo en {service}.',
    button: 'Abrir la invitación',
    note: 'La invitación se puede aceptar una vez, hasta el {at}, con la sesión iniciada o con una cuenta nueva. Si no la esperaba, no haga nada.',
  },
  reset: {
    subject: 'Elija una contraseña nueva',
    lead: 'Se ha solicitado un enlace para elegir una contraseña nueva para su cuenta en {service}.',
    button: 'Elegir una contraseña nueva',
    note: 'El enlace funciona una vez, durante una hora. No cambia ningún segundo factor. Si no lo ha solicitado, no haga nada: su contraseña sigue igual.',
  },
  newDevice: {
    subject: 'Inicio de sesión desde un dispositivo nuevo',
    lead: 'El {at} se inició sesión en su cuenta en {service} desde un navegador, un sistema o un país que no está en su historial: {device}.',
    unknown: 'dispositivo desconocido',
    button: 'Abrir el historial de inicios de sesión',
    note: 'Si no ha sido usted, cambie su contraseña y cierre la sesión en los demás navegadores.',
  },
  passwordChanged: {
    subject: 'Su contraseña ha cambiado',
    lead: 'La contraseña de su cuenta en {service} se cambió el {at} en la página de la cuenta, y se cerró la sesión en todos los demás navegadores.',
    leadLink:
      'El {at} se usó un enlace para elegir una contraseña nueva para su cuenta en {service}, y se cerraron todas sus sesiones.',
    leadOwner:
      'El {at} se usó el enlace de un propietario del espacio de trabajo {workspace} para elegir una contraseña nueva para su cuenta en {service}, y se cerraron todas sus sesiones.',
    leadUnnamed:
      'El {at} se usó el enlace de un propietario de su espacio de trabajo para elegir una contraseña nueva para su cuenta en {service}, y se cerraron todas sus sesiones.',
    leadOperator:
      'El operador de {service} cambió la contraseña de su cuenta el {at}, y se cerraron todas sus sesiones.',
    button: 'Elegir otra contraseña',
    note: 'Si no sabe nada de este cambio, elija ahora otra contraseña.',
  },
  factorsChanged: {
    subject: 'Ha cambiado el inicio de sesión en dos pasos',
    lead: 'El inicio de sesión en dos pasos o las llaves de acceso de su cuenta en {service} cambiaron el {at}.',
    button: 'Abrir el inicio de sesión en dos pasos',
    note: 'Si no ha sido usted, cambie su contraseña y cierre la sesión en los demás navegadores.',
  },
  factorsReset: {
    subject: 'Se ha desactivado el inicio de sesión en dos pasos',
    lead: 'El operador de {service} desactivó el inicio de sesión en dos pasos de su cuenta el {at} y cerró todas sus sesiones.',
    leadMember:
      'El operador de {service} desactivó el inicio de sesión en dos pasos de un miembro del espacio de trabajo {workspace} el {at}.',
    leadUnnamed:
      'El operador de {service} desactivó el inicio de sesión en dos pasos de un miembro de su espacio de trabajo el {at}.',
    button: 'Abrir el inicio de sesión en dos pasos',
    buttonMember: 'Abrir el registro de auditoría',
    note: 'Si no lo ha pedido, escriba al operador.',
  },
  identityChanged: {
    subject: 'Ha cambiado la identidad de un inicio de sesión',
    lead: 'El operador de {service} cambió el {at} la identidad con la que usted inicia sesión en el proveedor de su empresa. Se cerraron las sesiones de la identidad anterior.',
    leadMember:
      'El operador de {service} cambió el {at} la identidad con la que un miembro del espacio de trabajo {workspace} inicia sesión en el proveedor de la empresa.',
    leadUnnamed:
      'El operador de {service} cambió el {at} la identidad con la que un miembro de su espacio de trabajo inicia sesión en el proveedor de la empresa.',
    button: 'Abrir el historial de inicios de sesión',
    buttonMember: 'Abrir el registro de auditoría',
    note: 'Si no lo ha pedido, escriba al operador.',
  },
  factorDemanded: {
    subject: 'Configure el inicio de sesión en dos pasos',
    lead: 'El espacio de trabajo {workspace} en {service} exige a sus miembros el inicio de sesión en dos pasos a partir del {at}, y su cuenta no lo tiene.',
    leadUnnamed:
      'Uno de sus espacios de trabajo en {service} exige a sus miembros el inicio de sesión en dos pasos a partir del {at}, y su cuenta no lo tiene.',
    button: 'Configurar el inicio de sesión en dos pasos',
    note: 'Sin él, a partir de entonces ni usted ni los programas que usan su contraseña podrán abrir el espacio de trabajo. Las claves de API siguen funcionando.',
  },
  unconfirmed: {
    subject: 'Inicie sesión con su empresa',
    lead: 'El proveedor con el que su empresa inicia sesión no ha confirmado su cuenta desde hace tiempo. Inicie sesión con él antes del {at} o se suspenderá su acceso al espacio de trabajo {workspace} en {service}.',
    leadUnnamed:
      'El proveedor con el que su empresa inicia sesión no ha confirmado su cuenta desde hace tiempo. Inicie sesión con él antes del {at} o se suspenderá su acceso a un espacio de trabajo en {service}.',
    leadAll:
      'El proveedor con el que su empresa inicia sesión no ha confirmado su cuenta desde hace tiempo. Inicie sesión con él antes del {at} o se suspenderá su acceso a sus espacios de trabajo en {service}.',
    button: 'Abrir la página de inicio de sesión',
    note: 'Con su acceso se suspenden las claves de API, las contraseñas de aplicación y las aplicaciones conectadas. El siguiente inicio de sesión con el proveedor lo restablece todo.',
  },
  keyExpires: {
    subject: 'Una clave de API caduca pronto',
    lead: 'Una clave de API suya en el espacio de trabajo {workspace} en {service} caduca el {at}.',
    leadUnnamed: 'Una clave de API suya en {service} caduca el {at}.',
    button: 'Abrir las claves',
    note: 'Los programas que la usan dejarán de funcionar. Cree antes otra clave y sustituya la antigua.',
  },
  domainLost: {
    subject: 'Se ha perdido un dominio',
    lead: 'Ya no se encuentran los registros DNS de un dominio del espacio de trabajo {workspace} en {service}, por lo que sus enlaces no funcionan.',
    leadUnnamed:
      'Ya no se encuentran los registros DNS de un dominio de su espacio de trabajo en {service}, por lo que sus enlaces no funcionan.',
    button: 'Abrir los dominios',
    note: 'Cuando los registros vuelvan a existir, verifique el dominio en su página.',
  },
  webhookDisabled: {
    subject: 'Se ha desactivado un webhook',
    lead: 'Se ha desactivado un webhook del espacio de trabajo {workspace} en {service}: su receptor falló demasiado tiempo o respondió que ya no existe.',
    leadUnnamed:
      'Se ha desactivado un webhook de su espacio de trabajo en {service}: su receptor falló demasiado tiempo o respondió que ya no existe.',
    button: 'Abrir los webhooks',
    note: 'Actívelo en su página cuando el receptor vuelva a responder.',
  },
} satisfies MailTexts;

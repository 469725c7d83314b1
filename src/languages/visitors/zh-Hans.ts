import type { VisitorTexts } from '../texts.ts';

export default {
  password: {
    title: '请输入密码',
    errorTitle: '错误：请输入密码',
    lead: '此链接受密码保护。请向发送者索取密码。',
    label: '密码',
    submit: '继续',
    wrong: '密码错误。',
    tooMany: '尝试次数过多。请等待一分钟后再试。',
  },
  ask: {
    websiteTitle: '要前往其他网站吗？',
    appTitle: '要在应用中继续吗？',
    website: '此链接指向 <strong>{host}</strong>',
    app: '此链接将打开您设备上的应用：<strong>{scheme}</strong>',
    appOrWebsite:
      '此链接将打开您设备上的应用：<strong>{scheme}</strong>；如果没有该应用，则前往 <strong>{host}</strong>',
    submit: '继续',
  },
  app: {
    title: '在应用中继续',
    lead: '此链接将打开一个应用。如果您没有该应用，请在浏览器中继续。',
    open: '打开应用',
    browser: '在浏览器中继续',
  },
  inspect: {
    title: '此链接通往哪里',
    elsewhere: '部分访问者可能会被带到其他页面。',
    created: '此链接创建于{day, date, long}（UTC）。',
    blocked: '此链接指向的网站已被本服务的运营者屏蔽。',
  },
  program: {
    title: '短链接',
    lead: '请在浏览器中打开此链接。',
  },
  notFound: {
    title: '找不到此链接',
    advice: '请检查网址是否输入有误。',
  },
  gone: {
    title: '此链接已失效',
    advice: '链接已过期，或已被所有者停用或删除。请向发送者索取新的链接。',
  },
  blocked: {
    title: '此链接已被屏蔽',
    advice:
      '此链接指向的网站已被本服务的运营者屏蔽，原因可能是该网站有害。页面没有跳转。如果您认为这是误判，请联系链接的发送者。',
  },
  unavailable: {
    title: '此链接暂时无法使用',
    advice: '我们的服务暂时出现问题，请过几秒钟再试。',
  },
  unsupported: {
    title: '不支持此请求',
    advice: '请在浏览器中或通过 GET 请求打开短链接。',
  },
} satisfies VisitorTexts;

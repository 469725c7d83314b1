import type { VisitorTexts } from '../texts.ts';

export default {
  password: {
    title: 'パスワードを入力してください',
    errorTitle: 'エラー：パスワードを入力してください',
    lead: 'このリンクは保護されています。パスワードは、リンクの送信者にお尋ねください。',
    label: 'パスワード',
    submit: '続ける',
    wrong: 'パスワードが正しくありません。',
    tooMany: 'パスワードの入力回数が上限に達しました。1分ほど待ってから、もう一度お試しください。',
  },
  ask: {
    websiteTitle: '別のウェブサイトに移動しますか？',
    appTitle: 'アプリで開きますか？',
    website: 'このリンクの移動先：<strong>{host}</strong>',
    app: 'このリンクは、お使いの端末のアプリを開きます：<strong>{scheme}</strong>',
    appOrWebsite:
      'このリンクは、お使いの端末のアプリを開きます：<strong>{scheme}</strong>。アプリがない場合の移動先：<strong>{host}</strong>',
    submit: '続ける',
  },
  app: {
    title: 'アプリで続ける',
    lead: 'このリンクはアプリを開きます。アプリをお持ちでない場合は、ブラウザで続けてください。',
    open: 'アプリを開く',
    browser: 'ブラウザで続ける',
  },
  inspect: {
    title: 'このリンクの移動先',
    elsewhere: '訪問者によっては、別のページに移動することがあります。',
    created: 'このリンクは{day, date, long}（UTC）に作成されました。',
    blocked: '移動先のウェブサイトは、このサービスの運営者によりブロックされています。',
  },
  program: {
    title: '短縮リンク',
    lead: 'このリンクはブラウザで開いてください。',
  },
  notFound: {
    title: 'リンクが見つかりません',
    advice: 'アドレスに入力ミスがないかご確認ください。',
  },
  gone: {
    title: 'このリンクは利用できなくなりました',
    advice: '有効期限が切れたか、所有者により無効化または削除されました。新しいリンクは、送信者にお尋ねください。',
  },
  blocked: {
    title: 'このリンクはブロックされています',
    advice:
      '移動先のウェブサイトは、有害であるなどの理由で、このサービスの運営者によりブロックされています。移動は行われていません。誤りだと思われる場合は、リンクの送信者にご連絡ください。',
  },
  unavailable: {
    title: 'このリンクは一時的に利用できません',
    advice: 'サービスに一時的な問題が発生しています。数秒後にもう一度お試しください。',
  },
  unsupported: {
    title: 'このリクエストには対応していません',
    advice: '短縮リンクは、ブラウザまたはGETリクエストで開いてください。',
  },
} satisfies VisitorTexts;

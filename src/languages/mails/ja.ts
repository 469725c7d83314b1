import type { MailTexts } from '../texts.ts';

/** The texts of mails in Japanese. */
export default {
  mail: {
    footer: '送信元：{service}（{host}）。このメールは開封を追跡しません。',
    linkAgain: 'ボタンが動作しない場合は、次のアドレスをブラウザーで開いてください：',
  },
  confirm: {
    subject: 'メールアドレスの確認',
    lead: 'このアドレスが{service}のアカウントに入力されました。そのアカウントでサインインしているブラウザーでリンクを開いてください。',
    button: 'アドレスを確認する',
    note: 'リンクは1時間以内に1回だけ使えます。入力した覚えがない場合は、何もする必要はありません。このアドレスにほかのメールは届きません。',
  },
  addressChanged: {
    subject: 'このアドレスは使われなくなりました',
    lead: '{service}のアカウントはこのアドレスを使わなくなりました。{at}に変更または削除されました。',
    button: 'アカウントを開く',
    note: '心当たりがない場合は、パスワードを変更し、ほかのブラウザーをサインアウトさせてください。',
  },
  invite: {
    subject: 'ワークスペースへの招待',
    lead: '{service}のワークスペース「{workspace}」に招待されています。',
    leadUnnamed: '{service}のワークスペースに招待されています。',
    button: '招待を開く',
    note: '招待は{at}まで、サインインするかアカウントを作成した人が1回だけ承諾できます。心当たりがない場合は、何もする必要はありません。',
  },
  reset: {
    subject: '新しいパスワードの設定',
    lead: '{service}のアカウントに新しいパスワードを設定するリンクが請求されました。',
    button: '新しいパスワードを設定する',
    note: 'リンクは1時間以内に1回だけ使えます。第2要素は変わりません。請求した覚えがない場合は、何もする必要はありません。パスワードは変わりません。',
  },
  newDevice: {
    subject: '新しい端末からのサインイン',
    lead: '{at}に、サインイン履歴にないブラウザー、システム、または国から{service}のアカウントへのサインインがありました：{device}。',
    unknown: '不明な端末',
    button: 'サインイン履歴を開く',
    note: '心当たりがない場合は、パスワードを変更し、ほかのブラウザーをサインアウトさせてください。',
  },
  factorsChanged: {
    subject: '2段階サインインが変更されました',
    lead: '{at}に、{service}のアカウントの2段階サインインまたはパスキーが変更されました。',
    button: '2段階サインインを開く',
    note: '心当たりがない場合は、パスワードを変更し、ほかのブラウザーをサインアウトさせてください。',
  },
  factorsReset: {
    subject: '2段階サインインが無効になりました',
    lead: '{at}に、{service}の運営者がアカウントの2段階サインインを無効にし、すべての端末でサインアウトさせました。',
    leadMember: '{at}に、{service}の運営者がワークスペース「{workspace}」のメンバーの2段階サインインを無効にしました。',
    leadUnnamed: '{at}に、{service}の運営者がワークスペースのメンバーの2段階サインインを無効にしました。',
    button: '2段階サインインを開く',
    buttonMember: '監査ログを開く',
    note: '依頼した覚えがない場合は、運営者に連絡してください。',
  },
  keyExpires: {
    subject: 'APIキーの有効期限が近づいています',
    lead: '{service}のワークスペース「{workspace}」にあるあなたのAPIキーの有効期限は{at}です。',
    leadUnnamed: '{service}にあるあなたのAPIキーの有効期限は{at}です。',
    button: 'キーを開く',
    note: '期限が切れると、このキーを使うプログラムは動作しなくなります。その前に別のキーを作成し、置き換えてください。',
  },
  domainLost: {
    subject: 'ドメインが失われました',
    lead: '{service}のワークスペース「{workspace}」のドメインのDNSレコードが見つからなくなったため、そのリンクは使えません。',
    leadUnnamed: '{service}のワークスペースのドメインのDNSレコードが見つからなくなったため、そのリンクは使えません。',
    button: 'ドメインを開く',
    note: 'レコードが元に戻ったら、ドメインのページで確認してください。',
  },
  webhookDisabled: {
    subject: 'Webhookが無効になりました',
    lead: '受信側が長い間失敗したか、もう存在しないと応答したため、{service}のワークスペース「{workspace}」のWebhookが無効になりました。',
    leadUnnamed:
      '受信側が長い間失敗したか、もう存在しないと応答したため、{service}のワークスペースのWebhookが無効になりました。',
    button: 'Webhookを開く',
    note: '受信側が再び応答するようになったら、Webhookのページで有効にしてください。',
  },
} satisfies MailTexts;

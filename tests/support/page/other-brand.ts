// Another provider's page in another language: what stands in texts.ts, provider.ts and brand.ts of src.

export const PROVIDER = 'Plum & "Sons" <Water>'

export const LANG = 'ar'
export const DIR = 'rtl'

export const TITLE = `لوحة الإدارة: ${PROVIDER}`
export const DESCRIPTION = 'الإطلاق "قريب". اترك بريدك الإلكتروني لنخبرك بالجديد.'

export const TEXT = {
  heading: 'الإطلاق قريب!',
  email: 'البريد الإلكتروني',
  emailPlaceholder: 'أدخل بريدك الإلكتروني',
  subscribe: 'اشترك',
  contactUs: 'اتصل بنا',
  first: 'الاسم الأول',
  last: 'اسم العائلة',
  message: 'الرسالة',
  submit: 'إرسال',
  sending: 'جارٍ الإرسال…',
  sendAgain: 'نصك محفوظ: أغلق هذه النافذة وافتحها مرة أخرى لإرساله.',
  charactersLeft: (count: number) => `بقي ${count} حرفًا`,
  cut: 'النص الذي لصقته طويل جدًا: قُطعت نهايته.',
  close: 'إغلاق',
  loading: 'جارٍ التحميل',
  lastMessage: (message: string) => `آخر إشعار: ${message}`,
  withoutScripts: 'الاشتراك ومراسلتنا يحتاجان إلى جافا سكريبت: يرجى تشغيله في متصفحك.',
}

export const NOTIFICATION_TEXT = {
  subscribed: { summary: 'شكرًا لك!', detail: 'سنخبرك بالميزات القادمة.' },
  alreadySubscribed: { summary: 'مرحبًا من جديد!', detail: 'لقد سجلت اهتمامك من قبل. سنراسلك بالبريد.' },
  failed: { summary: 'عذرًا!', detail: 'يبدو أن خطأ ما قد حدث. حاول مرة أخرى!' },
  invalidEmail: { summary: 'بريد غير صالح', detail: 'يبدو أن البريد الذي أدخلته غير صالح. أدخل بريدًا صالحًا.' },
}

export const ENQUIRY_TEXT = {
  received: 'شكرًا لاتصالك بنا. سنرد على استفسارك قريبًا.',
  failed: 'عذرًا! حدث خطأ ما. حاول مرة أخرى، شكرًا لك!',
}

export const VALIDATION_TEXT = {
  noFirst: 'يرجى إدخال الاسم الأول',
  noLast: 'يرجى إدخال اسم العائلة',
  noEmail: 'يرجى إدخال بريد إلكتروني',
  invalidEmail: 'يرجى إدخال بريد إلكتروني صالح',
  noMessage: 'يرجى إدخال رسالة',
}

export const COLOURS: typeof import('../../../src/ui/brand.ts').COLOURS = {
  deep: ['#1d0320', '#1d0320'],
  onPicture: ['#fffdff', '#fffdff'],
  panel: ['#fffcff', '#2c0e31'],
  sunken: ['#f6edf7', '#3d1a42'],
  ink: ['#2b0a30', '#f7e9f9'],
  muted: ['#6a4470', '#d0aad5'],
  line: ['#94739a', '#a87fae'],
  accent: ['#7b1486', '#e08aea'],
  accentStrong: ['#5c0c65', '#eeb2f5'],
  onAccent: ['#fffaff', '#2a0530'],
  focus: ['#8a3ffc', '#c79bff'],
  success: ['#0e6b3a', '#74dba0'],
  error: ['#a81d3a', '#ff9db0'],
  info: ['#3b46b8', '#a9b4ff'],
  warning: ['#80500a', '#f5c878'],
}

export const LOGO = { shape: 'M2 2h16v20H2z', detail: 'M5 12h10' }

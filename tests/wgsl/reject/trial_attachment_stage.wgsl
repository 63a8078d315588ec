//! error line 4 E0408
enable chromium_internal_input_attachments;
@group(0) @binding(0) @input_attachment_index(3) var t: input_attachment<f32>;
@compute @workgroup_size(1) fn f() { _ = inputAttachmentLoad(t); }
